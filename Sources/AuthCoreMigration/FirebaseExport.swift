public import AuthCore

/// Finds the users in Firebase's `auth:export` JSON, one after the other and in pieces of any size.
///
/// It holds one user at a time, however long the file is. A user longer than a mebibyte is passed over.
public struct FirebaseExport: Sendable {
    /// Where in the file the next byte is.
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
    private var hasUsers = false
    private var scanner = ValueScanner()
    /// The key or the user that is being read.
    private var text: [UInt8] = []
    /// Whether a comma promised another user.
    private var isPromised = false
    private var number = 0

    /// Before the first byte of a file.
    public init() {}

    /// Whether the file ended as an export does.
    public var isComplete: Bool {
        if case .afterObject = place { hasUsers } else { false }
    }

    /// The next user that these bytes complete, which are taken up to its end; nil once all of them are taken.
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
        case .beforeObject: place = byte == UInt8(ascii: "{") ? .beforeMember : .inNonsense
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
            // A second list of users would leave open which of them counts.
            place = hasUsers ? .inNonsense : .inUsers
            hasUsers = true
            isPromised = false
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

/// One user of Firebase's export, as the file has it; it is not shown, since a password's hash is in it.
public struct FirebaseUser: Sendable, CustomStringConvertible, CustomReflectable {
    /// Which user of the file it is, counted from 1.
    public let number: Int
    /// What the file says of the user; nil if that is no JSON object.
    public let content: ClaimValue?

    /// Says which user this is, and nothing more.
    public var description: String { "FirebaseUser(\(number))" }

    /// A mirror that shows the number alone.
    public var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}

/// Follows JSON just closely enough to know where a value ends.
private struct ValueScanner {
    private var depth = 0
    private(set) var isInString = false
    private var isEscaped = false

    /// Whether this byte stands behind the value: a comma, or the bracket that closes what the value is in.
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
