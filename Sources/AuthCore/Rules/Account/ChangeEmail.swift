/// Moves the account of the acting session to another address at once, without a proof of it.
struct ChangeEmail: SessionOperation {
    typealias Outcome = SignedIn

    var sensitivity: SensitiveOperation? { .changeEmail }

    let handle: ActingHandle
    let email: EmailAddress
    /// The code that lets the old address take the change back.
    let recovery: IssuedCode

    init(handle: ActingHandle, email: EmailAddress, recovery: IssuedCode) {
        self.handle = handle
        self.email = email
        self.recovery = recovery
    }

    func moreLookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        lookups.insert(ownerOf: email)
        return lookups
    }

    struct Facts: Sendable, Hashable {
        var holder: NewAddressHolder
        /// Whether the address that would give way is proved, and the policy keeps it until the new one is.
        var mustStay: Bool
        /// Whether nobody is known to be behind the session, and the policy lets strangers learn nothing.
        var isStranger: Bool
    }

    enum Finding: Sendable, Hashable {
        case change
        case nothingToDo
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if facts.isStranger { throw Refusal(.emailChangeNeedsVerification, .strangersLearnNothing) }
        switch facts.holder {
        case .thePerson: return .nothingToDo
        case .another: throw .addressOwned
        case .nobody:
            if facts.mustStay { throw .addressStays }
            return .change
        }
    }

    func decide(
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let facts = Facts(
            holder: NewAddressHolder(of: email, for: acting.account, in: seen, under: context.policy),
            mustStay: context.policy.unprovenEmailChange == .needsVerification
                && acting.account.isEmailVerified(under: context.policy),
            isStranger: context.policy.disclosure == .uniform
                && (acting.account.methods.isEmpty || acting.account.isProvisional)
        )
        switch try Self.rule(facts) {
        case .nothingToDo:
            transaction.reasons.append(.addressIsTheSame)
            var account = acting.account
            return transaction.keep(acting, with: &account, lastSignIn: seen.lastSignIn(of: account.id))
        case .change:
            if let refusal = acting.seniorityRefusal(for: acting.addressAges, context) {
                throw refusal
            }
            transaction.reasons.append(.personChangesAddress)
            var account = acting.account
            account.moveToUnproven(email, at: context.now)
            transaction.expectNobody(hasTwinOf: email, in: seen)
            if acting.session.basis.kind != .anonymous {
                transaction.offerRecovery(of: acting.account, in: &account, recovery)
            }
            transaction.raiseEpoch(of: &account, for: .emailChange, except: acting.session.id)
            return transaction.keep(acting, with: &account, lastSignIn: seen.lastSignIn(of: account.id))
        }
    }
}

/// Who has the address that an account wants.
enum NewAddressHolder: Sendable, Hashable, CaseIterable {
    case nobody
    case thePerson
    case another

    init(of email: EmailAddress, for account: Account, in seen: Snapshot, under policy: AuthPolicy) {
        if account.email == email {
            self = .thePerson
        } else {
            // An address that is reserved for the account itself, after a change, is there for it to come back to.
            self =
                seen.owner(ofAddress: email, under: policy).map { $0.id == account.id ? .nobody : .another }
                ?? .nobody
        }
    }
}

extension Transaction {
    /// Tells an address that went with the method that hung on it, where every change of the address can be taken back.
    mutating func offerDroppedAddress(of old: Account, in account: inout Account) {
        guard context.policy.emailRecovery == .everyChange, old.email != nil, account.email == nil else { return }
        offerRecovery(of: old, in: &account, context.mailCode(unusedNumber))
    }

    /// Tells the address that is left, or the first one ever left, with a code to come back.
    mutating func offerRecovery(of old: Account, in account: inout Account, _ code: IssuedCode) {
        guard let left = old.email else { return }
        let isChain = context.policy.emailRecovery == .everyChange
        // Under the stricter rule, who never proved an address has nothing to come back to.
        if isChain, !old.isEmailVerified(under: context.policy) { return }
        let first = isChain ? left : account.firstEmail ?? left
        account.firstEmail = account.firstEmail ?? left
        // Under the stricter rule the address from before a chain of changes stays reserved, and can come back from any.
        if isChain, old.reservesEmail {
            account.reservations.removeAll { $0.email == left }
            account.reservations.append(
                Reservation(email: left, until: context.now + context.policy.lifetimes.emailRecovery)
            )
        }
        let recovery = EmailRecovery(
            restores: first,
            replaced: account.email,
            generation: old.nextGeneration,
            suspendsLaterMethods: isChain
        )
        issue(
            code,
            .recoverEmail(recovery),
            kind: .recoverEmail,
            to: .email(first),
            account: account.id,
            lifetime: context.policy.lifetimes.emailRecovery,
            settings: nil
        )
    }
}
