/// The accepted syntax: RFC 5321's lengths, RFC 5322's dot-atom, and a host name of at least two labels.
///
/// Quoted local parts, comments and address literals are allowed by the RFCs and almost unused; two programs can
/// disagree about where the domain begins in them, so they are refused. One pass, no allocation.
package struct EmailSyntax {
    private static let longestAddress = 254
    private static let longestLocalPart = 64
    private static let longestLabel = 63

    private var isInDomain = false
    private var localPartLength = 0
    /// Bytes since the last dot or @.
    private var runLength = 0
    private var finishedLabels = 0
    private var labelIsAllDigits = true
    private var previous: UInt8 = 0

    /// Whether a text is an address.
    package static func accepts(_ text: String) -> Bool {
        // Checked first, so that a text of any size is refused without reading it.
        guard text.utf8.count <= longestAddress else { return false }
        var syntax = EmailSyntax()
        for byte in text.utf8 {
            guard syntax.accepts(byte) else { return false }
        }
        return syntax.isComplete
    }

    private var isComplete: Bool {
        // A last label of only digits would be the end of an IPv4 address.
        isInDomain && finishesLabel && finishedLabels > 0 && !labelIsAllDigits
    }

    private var finishesLabel: Bool {
        runLength > 0 && previous != UInt8(ascii: "-")
    }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        isInDomain ? acceptsInDomain(byte) : acceptsInLocalPart(byte)
    }

    private mutating func acceptsInLocalPart(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "@") {
            guard runLength > 0 else { return false }
            isInDomain = true
            runLength = 0
            return true
        }
        localPartLength += 1
        guard localPartLength <= Self.longestLocalPart else { return false }
        if byte == UInt8(ascii: ".") {
            guard runLength > 0 else { return false }
            runLength = 0
            return true
        }
        runLength += 1
        return Self.isAtomText(byte)
    }

    private mutating func acceptsInDomain(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: ".") {
            guard finishesLabel else { return false }
            finishedLabels += 1
            runLength = 0
            labelIsAllDigits = true
            return true
        }
        let isDigit = Self.isDigit(byte)
        let isInnerHyphen = byte == UInt8(ascii: "-") && runLength > 0
        guard isDigit || Self.isLetter(byte) || isInnerHyphen else { return false }
        labelIsAllDigits = labelIsAllDigits && isDigit
        runLength += 1
        previous = byte
        return runLength <= Self.longestLabel
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// RFC 5322's `atext`.
    private static func isAtomText(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
}
