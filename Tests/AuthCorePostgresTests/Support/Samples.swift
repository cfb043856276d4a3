#if PostgreSQL
import AuthCore
import AuthCoreTesting
import Foundation

/// Changes as a service writes them, each about an account of its own.
enum Samples {
    static let now = Timestamp(seconds: 1_800_000_000)

    static func account(_ name: String) -> Account {
        var account = Account(id: AccountID(name) ?? "unusable", createdAt: now)
        account.email = EmailAddress("\(name)@example.com")
        account.reservesEmail = true
        account.methods = []
        return account
    }

    /// A new account with a key, a reference, a session, a one-time record, an event and a message.
    static func creation(_ name: String) -> Store.ChangeSet {
        let account = account(name)
        var changes = Store.ChangeSet(operation: random(), at: now)
        changes.accounts = [.create(account)]
        changes.keyRule = .address
        if let email = account.email {
            changes.keys = [Store.KeyChange(.primaryEmail(email), from: nil, to: account.id)]
            let reference = Store.EmailReference(account: account.id, createdAt: now, strength: .own)
            changes.references = [Store.EmailReferenceChange(email: email, reference: reference, isReferenced: true)]
            changes.messages = [
                Store.OutboxEntry(
                    id: random(),
                    kind: .verifyEmail,
                    recipient: .email(email),
                    record: random(),
                    account: account.id,
                    settings: nil,
                    createdAt: now,
                    leasedUntil: now,
                    expiresAt: nil
                )
            ]
        }
        changes.sessions = [.put(session(of: account.id))]
        changes.records = [
            .put(
                Store.OneTimeRecord(
                    key: random(),
                    account: account.id,
                    createdAt: now,
                    expiresAt: nil,
                    content: .usedAssertion
                )
            )
        ]
        changes.signIns = [Store.SignInRecord(account: account.id, at: now)]
        changes.events = [event(of: account.id)]
        return changes
    }

    static func event(of account: AccountID) -> IdentityEvent {
        IdentityEvent(.signedIn, at: now, account: account, actor: .system, reasons: [])
    }

    static func session(of account: AccountID) -> Session {
        Session(
            id: random(),
            account: account,
            sessionGeneration: 0,
            basis: .anonymous,
            at: now,
            device: nil,
            origin: nil,
            deviceName: nil
        )
    }

    static func random<ID: RandomIdentifier>() -> ID { ID(bits: UInt128.random(in: .min ... .max)) }
}
#endif
