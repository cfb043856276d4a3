/// What turns records of one format into records of the next.
///
/// A step works on the tree alone and never uses the types of the library, which move on while old records do not.
struct RecordMigration: Sendable {
    /// Turns the value of one record; nil if it is none.
    typealias Step = @Sendable (ClaimValue) -> ClaimValue?

    /// The steps by kind; a kind without one did not exist in that format.
    let steps: [RecordKind: Step]

    /// The migration at place n leads from format n to format n + 1.
    static let all = [
        RecordMigration(steps: [.account: FlatAccount.withMethods])
    ]

    /// The value as it would have been written in a later format.
    static func bring(
        _ value: ClaimValue,
        of kind: RecordKind,
        from format: Int,
        to later: Int
    ) throws(RecordError) -> ClaimValue {
        var value = value
        for migration in all[format..<later] {
            guard let next = migration.steps[kind]?(value) else { throw .malformed }
            value = next
        }
        return value
    }
}
