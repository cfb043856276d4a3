@testable import AuthCore
import Foundation

/// Records in which, taken together, every field is set and every case occurs; and the emptiest of each kind.
enum RecordSamples {
    static let noon = Timestamp(milliseconds: 1_767_268_800_123)
    static let evening = Timestamp(milliseconds: 1_767_290_400_999)
    static let ann: AccountID = "ann"
    static let ben: AccountID = "ben"
    static let session = SessionID(bits: 1 << 127 | 7)
    static let factor = SecondFactor.ID(bits: 8)
    static let key = OneTimeRecordID(bits: UInt128.max)
    static let operation = OperationID(bits: 9)
    static let identityKey = Identity.Key(issuer: "https://issuer.example/é", subject: "e\u{301}")
    static let bytes: [UInt8] = [0, 0xFB, 0xFF, 0x3E]

    static func email(_ text: String) throws -> EmailAddress { try required(EmailAddress(text)) }
    static func number(_ text: String) throws -> PhoneNumber { try required(PhoneNumber(text)) }

    private struct Missing: Error {}

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }

    // MARK: Accounts

    static func accounts() throws -> [Account] { [try fullAccount(), Account(id: ben, createdAt: noon)] }

    static func fullAccount() throws -> Account {
        let mail = try email("ann@example.com")
        let phone = try number("+15550100001")
        var account = Account(id: ann, createdAt: noon)
        account.version = 41
        account.sessionGeneration = 3
        account.nextGeneration = 9
        account.isDisabled = true
        account.isAnonymous = true
        account.wasEverVerified = true
        account.acceptsCustomTokens = true
        account.customTokenAt = noon
        account.isProvisional = true
        account.email = mail
        account.reservesEmail = true
        account.emailSetAt = evening
        account.firstEmail = try email("first@example.com")
        account.displayName = "Ann \"A\" Archer\n/🔑"
        account.photoURL = "https://example.com/ann.jpg"
        account.customClaims = ["admin": true, "level": 3, "share": 0.5, "nested": ["list": [.null, "x"]]]
        account.methods = try methods()
        account.factors = try factors()
        account.recoveryCodes = [SecondFactor.RecoveryCode(hash: bytes)]
        account.evidence = try evidence()
        account.blockedIssuers = [ExactText("issuer")]
        account.knownDevices = [DeviceKey(bits: 77)]
        account.reservations = [Account.Reservation(email: try email("former@example.com"), until: evening)]
        account.mergeLock = Account.MergeLock(intent: key, until: evening)
        account.deletedUntil = evening
        account.dueAt = evening
        account.methods[0].coverage = [
            Evidence.Verification(.email(mail), at: noon), Evidence.Verification(.phone(phone), at: evening),
        ]
        account.methods[1].suspension = SignInMethod.Suspension(since: evening, reason: .methodIsSuspended)
        return account
    }

    private static func methods() throws -> [SignInMethod] {
        let identity = Identity(
            key: identityKey,
            provider: "oidc.example",
            email: try email("ann@idp.example"),
            assurance: .confirmed,
            displayName: "Ann",
            photoURL: "https://idp.example/ann.jpg",
            username: "ann"
        )
        let key = Identity.Key(issuer: "github.com", subject: "1")
        let bare = Identity(key: key, provider: .gitHub)
        let known = Identity(key: key, provider: .gitHub, assurance: .authoritative)
        return [
            SignInMethod(.password(PasswordHash(tagged: "$cheap$AAAA$BBBB")), addedAt: noon, generation: 1),
            SignInMethod(.emailLink, addedAt: noon, generation: 2),
            SignInMethod(.phone(try number("+15550100001")), addedAt: evening, generation: 4),
            SignInMethod(.federated(identity), addedAt: evening, generation: 5),
            SignInMethod(.federated(bare), addedAt: evening, generation: 6),
            SignInMethod(.federated(known), addedAt: evening, generation: 7),
        ]
    }

    private static func factors() throws -> [SecondFactor] {
        let kinds: [SecondFactor.Kind] = [
            .phone(try number("+15550100002")), .totp(sealedSeed: bytes, lastUsedStep: 58_908_960),
            .totp(sealedSeed: [], lastUsedStep: nil),
        ]
        var factors = kinds.enumerated().map { index, kind in
            SecondFactor(
                id: SecondFactor.ID(bits: UInt128(index)),
                kind: kind,
                displayName: index == 0 ? "mobile" : nil,
                enrolledAt: noon,
                generation: 8
            )
        }
        factors[1].suspension = SignInMethod.Suspension(since: noon, reason: .methodIsSuspended)
        return factors
    }

    static func evidence() throws -> [Evidence] {
        let mail = Evidence.Subject.email(try email("ann@example.com"))
        var withdrawn = Evidence(.phone(try number("+15550100001")), .phoneCode, at: noon)
        withdrawn.lastAt = evening
        withdrawn.count = 12
        withdrawn.staleSince = evening
        return [
            Evidence(mail, .mailboxCode, at: noon), withdrawn,
            Evidence(mail, .provider(identityKey, .authoritative), at: noon),
            Evidence(mail, .administrator, at: noon), Evidence(mail, .imported(trusted: true), at: noon),
        ]
    }

    // MARK: Sessions

    static func sessions() throws -> [Session] {
        var full = Session(
            id: session,
            account: ann,
            sessionGeneration: 3,
            basis: Session.Basis(kind: .federated, provider: .google, generation: 5),
            at: noon,
            device: DeviceKey(bits: 77),
            origin: "192.0.2.1",
            deviceName: "Ann's phone"
        )
        full.used = MethodKind.allCases.map { Session.Basis(kind: $0, provider: .google, generation: 1) }
        full.verified = try [
            Evidence.Verification(.email(email("ann@example.com")), at: noon),
            Evidence.Verification(.phone(number("+15550100001")), at: evening),
        ]
        full.factor = SecondFactor.Use(factor: factor, kind: .totp, at: evening)
        full.authenticatedAt = evening
        full.expiresAt = evening
        full.verifiedOnRequest = try Evidence.Verification(.email(email("ann@example.com")), at: evening)
        full.activeAt = evening
        full.rotation = 2
        full.voidedCount = 1
        full.refreshHash = bytes
        full.refreshCount = 17
        full.claims = ["role": "guest"]
        let bare = Session(
            id: SessionID(bits: 1),
            account: ben,
            sessionGeneration: 0,
            basis: .anonymous,
            at: noon,
            device: nil,
            origin: nil,
            deviceName: nil
        )
        return [full, bare]
    }

    // MARK: Events and messages

    static func events() throws -> [IdentityEvent] {
        let actors: [IdentityEvent.Actor] = [
            .session(session), .mailbox(try email("ann@example.com")), .unauthenticated, .administrator, .system,
        ]
        let methods = try fullAccount().methods
        return try actors.enumerated().map { index, actor in
            var event = IdentityEvent(
                .methodsChanged,
                at: noon,
                account: ann,
                actor: actor,
                reasons: index == 0 ? [.personAddsMethod, .identityIsNew] : [],
                evidence: index == 0 ? try evidence() : [],
                before: index == 0 ? [] : nil,
                after: index == 0 ? methods.map(SignInMethod.Summary.init) : nil
            )
            event.position = .number(UInt64(index) + 1)
            return event
        }
    }

    static func messages() throws -> [OutboxEntry] {
        [
            OutboxEntry(
                id: operation,
                kind: .resetPassword,
                recipient: .email(try email("ann@example.com")),
                record: OneTimeRecordID(bits: 21),
                account: ann,
                settings: Message.Settings(
                    continueURL: "https://example.com/go?a=b",
                    handlesCodeInApp: true,
                    language: "de"
                ),
                createdAt: noon,
                leasedUntil: evening,
                expiresAt: evening
            ),
            OutboxEntry(
                id: OperationID(bits: 0),
                kind: .phoneCode,
                recipient: .phone(try number("+15550100001")),
                record: OneTimeRecordID(bits: 22),
                account: nil,
                settings: nil,
                createdAt: evening,
                leasedUntil: evening,
                expiresAt: nil
            ),
        ]
    }
}
