@testable import AuthCore
import AuthCoreTesting
import Foundation

/// What a store holds in one situation, by value.
struct Scene {
    /// The moment at which everything is decided.
    static let now = Timestamp(seconds: 1_800_000_000)

    static func ago(days: Double) -> Timestamp { now - .seconds(days * 86400) }
    static func ago(minutes: Double) -> Timestamp { now - .seconds(minutes * 60) }

    /// The first is Ann, the second Ben.
    var accounts: [Account] = []
    var sessions: [Session] = []
    var records: [OneTimeRecord] = []

    init(_ accounts: Account...) { self.accounts = accounts }

    func account(_ id: AccountID) -> Account? { accounts.first { $0.id == id } }

    /// The same with Ann signed in; the first session is the acting one.
    func signedIn(
        by kind: MethodKind = .password,
        minutes: Double = 1,
        factor: SecondFactor.Use? = nil
    ) -> Scene {
        var scene = self
        guard let ann = accounts.first else { return scene }
        let method = ann.methods.first { $0.kind.methodKind == kind }
        var session = Session(
            id: SessionID(bits: 100 + UInt128(sessions.count)),
            account: ann.id,
            sessionGeneration: ann.sessionGeneration,
            basis: method.map { Session.Basis($0) } ?? (kind == .customToken ? .customToken : .anonymous),
            at: Self.ago(minutes: minutes),
            device: DeviceID(named: sessions.isEmpty ? "phone" : "laptop").key,
            origin: nil,
            deviceName: nil
        )
        session.factor = factor
        scene.sessions.append(session)
        return scene
    }

    /// The same with one more one-time record.
    func holding(
        _ content: OneTimeRecord.Content,
        under key: OneTimeRecordID = OneTimeRecordID(bits: 200),
        of account: AccountID? = nil,
        for seconds: Double? = 600,
        at date: Timestamp = ago(minutes: 2),
        on device: DeviceID? = nil
    ) -> Scene {
        var scene = self
        scene.records.append(
            OneTimeRecord(
                key: key,
                account: account,
                createdAt: date,
                expiresAt: seconds.map { Self.now + .seconds($0) },
                device: device?.key,
                content: content
            )
        )
        return scene
    }

    /// The handle of the acting session; of nobody's, if nobody is signed in.
    var acting: ActingHandle {
        ActingHandle(session: sessions.first?.id ?? SessionID(bits: 0), account: accounts.first?.id ?? "nobody")
    }

    /// What an operation sees, and how often it asks for that.
    func snapshot<O: AuthCore.Operation>(for operation: O) -> (seen: Snapshot, looks: Int) {
        let (tables, request) = (tables, Self.request(under: .pinned))
        let seen = tables.load(operation.allLookups(request))
        guard let more = operation.secondLookups(after: seen, request) else { return (seen, 1) }
        return (tables.load(more), 2)
    }

    /// Whoever asks in every situation.
    static func request(under policy: AuthPolicy) -> Request {
        Request(SharedPolicy(policy), RequestContext(device: "phone"))
    }

    private var tables: InMemoryTables {
        var changes = ChangeSet(operation: OperationID(bits: 1), at: Self.now)
        for account in accounts {
            changes.accounts.append(.create(account))
            for key in account.claims(under: .pinned).sorted(by: { "\($0)" < "\($1)" }) {
                changes.keys.append(KeyChange(key, from: nil, to: account.id))
            }
            for (email, reference) in account.emailReferences(under: .mailbox) {
                changes.references.append(
                    Store.EmailReferenceChange(email: email, reference: reference, isReferenced: true)
                )
            }
        }
        changes.sessions = sessions.map { .put($0) }
        changes.records = records.map { .put($0) }
        var tables = InMemoryTables(eventLimit: 0)
        _ = tables.commit(changes)
        return tables
    }
}

/// Accounts as they come about, in one expression.
extension Account {
    /// Somebody who has been here for a hundred days, with an address that is theirs alone.
    static func person(_ number: UInt128 = 1, at address: EmailAddress?) -> Account {
        var account = Account(id: AccountID(bits: number), createdAt: Scene.ago(days: 100))
        account.email = address
        account.reservesEmail = address != nil
        account.knownDevices = [DeviceID(named: "phone").key]
        return account
    }

    func adding(_ kind: SignInMethod.Kind, days: Double = 100, isCovered: Bool = true) -> Account {
        changing { account in
            let subjects = account.email.map { [Evidence.Subject.email($0)] } ?? []
            let coverage = isCovered ? subjects.map { Evidence.Verification($0, at: Scene.ago(days: days)) } : []
            _ = account.add(kind, at: Scene.ago(days: days), coverage: coverage)
        }
    }

    /// The address is verified by a mailed code.
    func verified(days: Double = 100) -> Account {
        changing { account in
            if let email = account.email { account.note(.email(email), .mailboxCode, at: Scene.ago(days: days)) }
        }
    }

    /// With so many authenticator apps, each with a number of its own.
    func enrolled(_ count: UInt128 = 1, days: Double = 50) -> Account {
        changing { account in
            for number in 0..<count {
                _ = account.addFactor(
                    .totp(sealedSeed: [UInt8(number)], lastUsedStep: nil),
                    named: nil,
                    id: 300 + number,
                    at: Scene.ago(days: days)
                )
            }
        }
    }

    func suspended(_ provider: ProviderID) -> Account {
        changing { account in
            for index in account.methods.indices where account.methods[index].kind.provider == provider {
                account.methods[index].suspension = SignInMethod.Suspension(
                    since: Scene.ago(days: 1),
                    reason: .recoverySuspends
                )
            }
        }
    }

    func changing(_ change: (inout Account) -> Void) -> Account {
        var account = self
        change(&account)
        return account
    }
}
