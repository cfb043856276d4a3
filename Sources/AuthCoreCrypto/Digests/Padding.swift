/// The end of a message with SHA-1's padding: a set bit, zeros, and the length in bits, in whole blocks.
func paddedTail(of message: [UInt8], from start: Int, total: Int) -> [UInt8] {
    var tail = Array(message[start...])
    tail.append(0x80)
    let beyond = (tail.count + 8) % 64
    tail.append(contentsOf: repeatElement(0, count: beyond == 0 ? 0 : 64 - beyond))
    tail.append(contentsOf: bigEndianBytes(UInt64(total) * 8))
    return tail
}
