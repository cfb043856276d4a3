internal import AuthCore

/// The members of an object in a state file, each of which is read once.
struct StateMembers {
    private var rest: [String: ClaimValue]
    private var known: [String] = []
    private let place: String

    init(_ value: ClaimValue, of place: String) throws(UsageError) {
        guard let members = value.objectValue else { throw UsageError("\(place) is no object") }
        rest = members
        self.place = place
    }

    private mutating func take(_ name: String) -> ClaimValue? {
        known.append(name)
        return rest.removeValue(forKey: name)
    }

    mutating func object(_ name: String) throws(UsageError) -> ClaimValue? {
        guard let value = take(name), !value.isNull else { return nil }
        return value
    }

    mutating func flag(_ name: String) throws(UsageError) -> Bool? {
        guard let value = take(name) else { return nil }
        guard let flag = value.boolValue else { throw UsageError("\(place): \(name) is true or false") }
        return flag
    }

    mutating func days(_ name: String) throws(UsageError) -> Int? {
        guard let value = take(name) else { return nil }
        guard let days = value.integerValue, (0...36500).contains(days) else {
            throw UsageError("\(place): \(name) is a number from 0 to 36500")
        }
        return Int(days)
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(UsageError) -> Word? where Word.RawValue == String {
        guard let value = take(name) else { return nil }
        let words = Word.allCases.map(\.rawValue)
        guard let text = value.stringValue, let word = Word(rawValue: text) else {
            let hint = value.stringValue.flatMap { NearMiss.hint($0, among: words) }
            throw UsageError("\(place): \(name) is one of \(words.joined(separator: ", "))", hint: hint)
        }
        return word
    }

    /// Refuses members that no one asked for, because a misspelled one would change the question unnoticed.
    func requireEnd() throws(UsageError) {
        guard let name = rest.keys.min() else { return }
        throw UsageError("\(place) has no member \(name)", hint: NearMiss.hint(name, among: known))
    }
}
