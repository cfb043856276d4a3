#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL

/// The sessions of a commit, in the order of its changes where that matters, and otherwise in that of the IDs.
struct SessionArguments {
    private struct Step {
        let kind: Character
        let id: SessionID?
        var account: AccountID?
        /// How often the refresh token was exchanged, or how many sessions are left.
        var expected: Int64?
        var session: (value: Session, bytes: [UInt8])?

        /// The session, or the account whose sessions end.
        var place: (UInt128, String) {
            kind == "a" ? (0, account?.description ?? "") : (id?.bits ?? 0, "")
        }

        /// Whether both could be made in either order, but for two of one session.
        func isOfOneRun(with other: Step) -> Bool {
            kind == "a" ? other.kind == "a" : kind != "l" && other.kind != "l" && other.kind != "a"
        }
    }

    private var steps: [Step] = []

    /// Adds all changes; those of single sessions that follow each other are in the order that every commit has, and so
    /// are the ends of all.
    mutating func append(_ changes: [Store.SessionChange], _ coder: RowCoder) throws(Store.RecordError) {
        for change in changes { try append(change, coder) }
        steps = steps.sorted(within: { $0.isOfOneRun(with: $1) }, by: { $0.place < $1.place })
    }

    private mutating func append(_ change: Store.SessionChange, _ coder: RowCoder) throws(Store.RecordError) {
        switch change {
        case .put(let session): steps.append(try Self.step("p", session, expecting: nil, coder))
        case .update(let session, let count): steps.append(try Self.step("u", session, expecting: Int64(count), coder))
        case .end(let id): steps.append(Step(kind: "e", id: id))
        case .endAll(let account, let kept): steps.append(Step(kind: "a", id: kept, account: account))
        case .endUnused(let account, let limit, let kept):
            steps.append(Step(kind: "l", id: kept, account: account, expected: Int64(limit)))
        }
    }

    private static func step(
        _ kind: Character,
        _ session: Session,
        expecting count: Int64?,
        _ coder: RowCoder
    ) throws(Store.RecordError) -> Step {
        Step(
            kind: kind,
            id: session.id,
            account: session.account,
            expected: count,
            session: (session, try coder.encode(session))
        )
    }

    /// The sessions in the order of the steps.
    var ids: [SessionID?] { steps.map(\.id) }

    /// The arguments in the order of the function.
    var parameters: [Parameter] {
        [
            .text(String(steps.map(\.kind))), .ids(steps.map(\.id?.bytes)), .texts(steps.map(\.account?.description)),
            .numbers(steps.map(\.expected)), .numbers(steps.map { $0.session.map { Int64($0.value.refreshCount) } }),
            .numbers(steps.map(\.session?.value.createdAt.milliseconds)),
            .numbers(steps.map(\.session?.value.activeAt.milliseconds)),
            .numbers(steps.map(\.session?.value.expiresAt?.milliseconds)),
            .texts(steps.map(\.session?.value.basis.kind.rawValue)),
            .texts(steps.map(\.session?.value.basis.provider.rawValue)),
            .texts(steps.map(\.session?.value.deviceName?.readable)), .encoded(steps.map(\.session?.bytes)),
        ]
    }
}
#endif
