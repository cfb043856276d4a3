#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes an account with an address and a password.
package struct SignUp: Operation {
    package typealias Outcome = SignedIn

    package let email: EmailAddress
    /// The hash of the password, or what the password rule has against it.
    package let password: Result<PasswordHash, PasswordRefusal>

    /// The seat that a provisional account hangs on.
    package let seat: SeatID?

    package init(email: EmailAddress, password: Result<PasswordHash, PasswordRefusal>, seat: SeatID? = nil) {
        self.email = email
        self.seat = seat
        self.password = password
    }

    package var query: SnapshotQuery {
        var query = SnapshotQuery()
        query.look(for: email)
        if let seat { query.capabilities = [.provisional(email, seat)] }
        return query
    }

    package struct Facts: Sendable, Hashable {
        package var address: AddressHolder
        package var password: PasswordRule.Finding
        /// Whether nobody is to learn whether the address is taken, and a seat is there for the account to hang on.
        package var isConcealed: Bool
    }

    package enum Finding: Sendable, Hashable {
        case create
        /// An account that only its seat can enter until the address is proved, whether somebody has it or not.
        case createProvisional
        case refuse(AuthErrorCode, Reason)
    }

    package static func rule(_ facts: Facts) -> Finding {
        if facts.address == .owned && !facts.isConcealed { return .refuse(.emailAlreadyInUse, .addressIsOwned) }
        return switch facts.password {
        case .accepted: facts.isConcealed ? .createProvisional : .create
        case .tooShort, .tooLong, .denied: .refuse(.weakPassword, facts.password.reason)
        }
    }

    package func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: .password) { return refuse(refusal, by: ruling) }
        let facts = Facts(
            address: snapshot.addressOwner(under: ruling.policy) == nil ? .free : .owned,
            password: password.finding,
            isConcealed: ruling.policy.concealsSignUp && ruling.context.seat != nil
        )
        let finding = Self.rule(facts)
        switch finding {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .create, .createProvisional:
            let hash = try password.hash.promised()
            var draft = Draft(ruling)
            let isProvisional = finding == .createProvisional
            draft.reasons.append(isProvisional ? .strangersLearnNothing : .addressIsFree)
            var account = Account(id: AccountID(bits: ruling.fresh.account), createdAt: ruling.now)
            account.email = email
            account.reservesEmail = !isProvisional
            account.isProvisional = isProvisional
            let method = account.add(.password(hash), at: ruling.now)
            if !isProvisional { draft.expectNobody(hasTwinOf: email, in: snapshot) }
            if isProvisional, let seat = ruling.context.seat {
                draft.keepProvisional(
                    account,
                    email,
                    seat,
                    isNew: snapshot.capability(.provisional(email, seat)) == nil
                )
            }
            return draft.granted(draft.signIn(to: &account, from: nil, showing: Showing(SessionBasis(method))))
        }
    }
}

/// Whether an address is some account's own.
package enum AddressHolder: Sendable, Hashable, CaseIterable {
    case free
    case owned
}

/// What the password rule has against a password.
package struct PasswordRefusal: Error, Sendable, Hashable {
    package let finding: PasswordRule.Finding

    package init(finding: PasswordRule.Finding) { self.finding = finding }
}

extension Result<PasswordHash, PasswordRefusal> {
    /// The hash, if the password rule has nothing against the password.
    package var hash: PasswordHash? { try? get() }

    /// What the password rule says, with the hash left out.
    package var finding: PasswordRule.Finding {
        switch self {
        case .success: .accepted
        case .failure(let refusal): refusal.finding
        }
    }
}

extension PasswordRule.Finding {
    /// Why the password is refused; one that is accepted is refused by nothing.
    package var reason: Reason {
        switch self {
        case .accepted: .factsContradict
        case .tooShort: .passwordIsTooShort
        case .tooLong: .passwordIsTooLong
        case .denied: .passwordIsDenied
        }
    }
}

extension Draft {
    /// Remembers in which seat the password of a provisional account is good.
    package mutating func keepProvisional(
        _ account: Account,
        _ email: EmailAddress,
        _ seat: SeatID,
        isNew: Bool
    ) {
        let key = CapabilityKey.provisional(email, seat)
        let capability = Capability(
            key: key,
            account: account.id,
            createdAt: ruling.now,
            expiresAt: nil,
            seat: seat,
            content: .provisionalSignUp
        )
        changes.capabilities.append(isNew ? .put(capability) : .replace(capability))
    }
}

extension Draft {
    /// What has a proven address is provisional no more, and its password is good everywhere.
    package mutating func endProvision(of account: inout Account) {
        guard account.isProvisional else { return }
        account.isProvisional = false
        changes.capabilities.append(.revokeAll(account.id, [.provisionalSignUp]))
    }
}

extension Snapshot {
    /// The account that a seat signed up to and whose address is not proved yet.
    package var provisionalAccount: Account? {
        guard capabilities.first?.purpose == .provisionalSignUp, let account = capabilityAccount?.account,
            account.isProvisional
        else { return nil }
        return account
    }
}

extension CapabilityKey {
    /// The key under which a seat's provisional account for an address is found.
    package static func provisional(_ email: EmailAddress, _ seat: SeatID) -> CapabilityKey {
        CapabilityKey(digestOf: "provisional\u{0}\(email.text)\u{0}\(seat.text)")
    }
}
