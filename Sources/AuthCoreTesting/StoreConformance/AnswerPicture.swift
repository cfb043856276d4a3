import AuthCore

/// What an answer shows, for comparison with another one; lists without an order are sorted.
struct AnswerPicture: Equatable {
    var accounts: [Account] = []
    var signIns: [Timestamp?] = []
    var version: UInt64 = 0
    var sessions: [Session] = []
    var records: [OneTimeRecord] = []
    var tombstone: OneTimeRecord?

    /// What an answer shows that found nothing.
    init() {}

    init(_ answer: Snapshot.Answer) {
        accounts = answer.rows.map(\.account)
        signIns = answer.rows.map(\.lastSignIn)
        switch answer {
        case .nothing, .account: break
        case .gone(let record): tombstone = record
        case .accounts(_, let version): self.version = version
        case .session(let session): sessions = [session]
        case .sessions(let all): sessions = all.sorted { $0.id < $1.id }
        case .record(let record, _): records = [record]
        case .records(let all): records = all.sorted { $0.key < $1.key }
        }
    }
}
