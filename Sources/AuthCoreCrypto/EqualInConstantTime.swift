/// Whether two byte strings are equal, in a time that reveals only whether their lengths differ.
@inlinable
package func equalInConstantTime(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(a, b) { difference |= left ^ right }
    return difference == 0
}
