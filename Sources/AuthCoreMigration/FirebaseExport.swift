public import AuthCore

/// Finds the users in Firebase's `auth:export` JSON, one after another, in pieces of any size.
///
/// Only one user at a time is in memory. A user longer than a mebibyte is skipped.
public struct FirebaseExport: Sendable {
    /// The part of the file that the next byte belongs to.
    private enum Place {
        case beforeObject
        case beforeMember
        case inKey
        case afterKey
        case beforeValue
        case inOtherValue
        case inUsers
        case afterValue
        case afterObject
        case inNonsense
    }

    private static let sizeLimit = 1 << 20
    private static let longestKey = 512

    private var place = Place.beforeObject
    /// What is left of the mark of the byte order, with which some editors begin a file.
    private var mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private var hasUsers = false
    private var scanner = ValueScanner()
    /// The key or the user that is being read.
    private var text: [UInt8] = []
    /// Whether another user must follow, after a comma.
    private var isPromised = false
    private var number = 0

    /// Creates a reader at the beginning of a file.
    public init() {}

    /// Whether the file ended as an export must end.
    public var isComplete: Bool {
        if case .afterObject = place { hasUsers } else { false }
    }

    /// Returns the next user that these bytes complete, and removes them up to its end; nil once all bytes are removed.
    public mutating func nextUser(in bytes: inout ArraySlice<UInt8>) -> FirebaseUser? {
        while let byte = bytes.popFirst() {
            if let user = read(byte) { return user }
        }
        return nil
    }

    private mutating func read(_ byte: UInt8) -> FirebaseUser? {
        switch place {
        case .inUsers: return readUser(byte)
        case .inOtherValue:
            if scanner.ends(at: byte) { leaveValue(byte) }
        case .inKey: readKey(byte)
        case .inNonsense: break
        case _ where byte.isJSONSpace: break
        case .beforeObject where byte == mark.first: mark.removeFirst()
        case .beforeObject:
            let isWhole = mark.isEmpty || mark.count == 3
            place = byte == UInt8(ascii: "{") && isWhole ? .beforeMember : .inNonsense
        case .beforeMember: startMember(byte)
        case .afterKey: place = byte == UInt8(ascii: ":") ? .beforeValue : .inNonsense
        case .beforeValue: startValue(byte)
        case .afterValue: leaveValue(byte)
        case .afterObject: place = .inNonsense
        }
        return nil
    }

    // MARK: Members

    private mutating func startMember(_ byte: UInt8) {
        text = []
        scanner = ValueScanner()
        switch byte {
        case UInt8(ascii: "\""):
            _ = scanner.ends(at: byte)
            place = .inKey
        case UInt8(ascii: "}"): place = .afterObject
        default: place = .inNonsense
        }
    }

    private mutating func readKey(_ byte: UInt8) {
        _ = scanner.ends(at: byte)
        if !scanner.isInString {
            place = .afterKey
        } else if text.count <= Self.longestKey {
            text.append(byte)
        }
    }

    private mutating func startValue(_ byte: UInt8) {
        let isUsers = text == Array("users".utf8) && byte == UInt8(ascii: "[")
        text = []
        scanner = ValueScanner()
        if isUsers {
            // A second list of users would be ambiguous.
            place = hasUsers ? .inNonsense : .inUsers
            hasUsers = true
        } else {
            place = .inOtherValue
            _ = scanner.ends(at: byte)
        }
    }

    private mutating func leaveValue(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: ","): place = .beforeMember
        case UInt8(ascii: "}"): place = .afterObject
        default: place = .inNonsense
        }
    }

    // MARK: Users

    private mutating func readUser(_ byte: UInt8) -> FirebaseUser? {
        guard scanner.ends(at: byte) else {
            if (!text.isEmpty || !byte.isJSONSpace) && text.count <= Self.sizeLimit { text.append(byte) }
            return nil
        }
        let isLast = byte != UInt8(ascii: ",")
        if isLast { place = byte == UInt8(ascii: "]") ? .afterValue : .inNonsense }
        let isThere = isPromised || !isLast || !text.isEmpty
        isPromised = !isLast
        return isThere ? takeUser() : nil
    }

    private mutating func takeUser() -> FirebaseUser {
        number += 1
        let content = ClaimValue(json: text, sizeLimit: Self.sizeLimit)
        text.removeAll(keepingCapacity: text.count < 1 << 16)
        return FirebaseUser(number: number, content: content?.objectValue == nil ? nil : content)
    }
}

/// One user of Firebase's export, as it is in the file; it is never printed, since it contains a password hash.
public struct FirebaseUser: Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of the user in the file, counted from 1.
    public let number: Int
    /// The user's members; nil if the user is not a JSON object.
    public let content: ClaimValue?

    /// The number of the user, without its contents.
    public var description: String { "FirebaseUser(\(number))" }

    /// A mirror with only the number.
    public var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}

/// Scans JSON only as far as needed to find the end of a value.
private struct ValueScanner {
    private var depth = 0
    private(set) var isInString = false
    private var isEscaped = false

    /// Returns whether this byte follows the value: a comma, or the bracket that closes the enclosing value.
    mutating func ends(at byte: UInt8) -> Bool {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return false
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if depth == 0 { return true }
            depth -= 1
        case UInt8(ascii: ","): return depth == 0
        default: break
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
