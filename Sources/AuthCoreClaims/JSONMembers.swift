/// A JSON object that was checked as strictly as ``ClaimValue`` reads one, but whose values are made only when they are
/// asked for: few of a token's claims are needed to verify it.
package struct JSONMembers: Sendable {
    private let reader: JSONReader
    private let members: [JSONReader.Member]

    /// Checks one JSON text; `nil` also if it is no object.
    package init?(json: [UInt8]) {
        guard json.count <= ClaimValue.sizeLimit else { return nil }
        var checking = JSONReader(bytes: json, depthLimit: ClaimValue.depthLimit)
        reader = checking
        guard let members = try? checking.checkText() else { return nil }
        self.members = members
    }

    /// The value of the member with this name.
    package subscript(name: StaticString) -> ClaimValue? { reader.value(of: name, in: members) }
}

extension JSONReader {
    /// Where a member of a checked object is.
    struct Member: Sendable {
        /// The name as it is written, without its quotes.
        let name: Range<Int>
        /// Whether the name is ASCII without escapes, so that its bytes are those of the text.
        let isPlain: Bool
        /// Where the value begins.
        let value: Int
    }

    /// Checks a text that is an object, and returns where its members are.
    mutating func checkText() throws(Malformed) -> [Member] {
        isKept = false
        skipWhitespace()
        let members = try checkObject()
        try requireEnd()
        return members
    }

    mutating func checkObject() throws(Malformed) -> [Member] {
        var members: [Member] = []
        try readMembers { (reader: inout JSONReader) throws(Malformed) in
            let start = reader.position + 1
            // Of a plain name no text is made, and every other one has a text that is not empty.
            let text = try reader.readString()
            let name = start..<reader.position - 1
            guard (text.isEmpty ? name.count : text.utf8.count) <= Self.longestKey else { throw Malformed() }
            try reader.readColon()
            members.append(Member(name: name, isPlain: text.isEmpty, value: reader.position))
            _ = try reader.readValue()
        }
        guard areDifferent(members) else { throw Malformed() }
        return members
    }

    /// Whether no two members have the same name; a few plain names are compared byte by byte, which is faster than
    /// hashing them.
    private func areDifferent(_ members: [Member]) -> Bool {
        guard members.count <= 32, members.allSatisfy(\.isPlain) else {
            return Set(members.map { text(of: $0) }).count == members.count
        }
        for place in members.indices {
            for earlier in 0..<place where areEqual(members[place].name, members[earlier].name) { return false }
        }
        return true
    }

    private func areEqual(_ name: Range<Int>, _ other: Range<Int>) -> Bool {
        guard name.count == other.count else { return false }
        for offset in 0..<name.count where bytes[name.lowerBound + offset] != bytes[other.lowerBound + offset] {
            return false
        }
        return true
    }

    /// The value of the checked member with this name.
    func value(of name: StaticString, in members: [Member]) -> ClaimValue? {
        for member in members where isName(of: member, name) {
            var reader = self
            reader.position = member.value
            return try? reader.readValue()
        }
        return nil
    }

    private func isName(of member: Member, _ name: StaticString) -> Bool {
        guard member.isPlain else { return text(of: member).utf8.elementsEqual(name.description.utf8) }
        guard member.name.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { name in
            for offset in 0..<name.count where unsafe name[offset] != bytes[member.name.lowerBound + offset] {
                return false
            }
            return true
        }
    }

    /// The name of a checked member.
    private func text(of member: Member) -> String {
        var reader = self
        (reader.position, reader.isKept) = (member.name.lowerBound - 1, true)
        return (try? reader.readString()) ?? ""
    }
}
