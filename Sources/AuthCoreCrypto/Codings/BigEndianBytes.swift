/// The bytes of a number, the most significant first.
@inlinable
package func bigEndianBytes<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> [UInt8] {
    stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
}
