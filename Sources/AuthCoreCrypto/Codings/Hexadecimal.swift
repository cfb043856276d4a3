/// Returns two lower-case digits for each byte, in ASCII.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
}
