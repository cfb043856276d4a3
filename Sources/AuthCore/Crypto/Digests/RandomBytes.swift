/// Bytes from the system's generator, suitable for keys, nonces and salts.
package func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
        bytes += bigEndianBytes(generator.next())
    }
    bytes.removeLast(bytes.count - max(0, count))
    return bytes
}
