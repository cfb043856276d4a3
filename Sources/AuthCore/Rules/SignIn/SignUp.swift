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

    package init(email: EmailAddress, password: Result<PasswordHash, PasswordRefusal>) {
        self.email = email
        self.password = password
    }

    package var query: SnapshotQuery {
        var query = SnapshotQuery()
        query.email = email
        return query
    }

    package struct Facts: Sendable, Hashable {
        package var address: AddressHolder
        package var password: PasswordRule.Finding
    }

    package enum Finding: Sendable, Hashable {
        case create
        case refuse(AuthErrorCode, Reason)
    }

    package static func rule(_ facts: Facts) -> Finding {
        if facts.address == .owned { return .refuse(.emailAlreadyInUse, .addressIsOwned) }
        return switch facts.password {
        case .accepted: .create
        case .tooShort, .tooLong, .denied: .refuse(.weakPassword, facts.password.reason)
        }
    }

    package func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        if let refusal = ruling.policy.refusal(of: .password) { return refuse(refusal, by: ruling) }
        let facts = Facts(
            address: snapshot.emailOwner == nil ? .free : .owned,
            password: password.finding
        )
        switch Self.rule(facts) {
        case .refuse(let code, let reason):
            return refuse(Refusal(code, reason), by: ruling)
        case .create:
            guard case .success(let hash) = password else {
                return refuse(Refusal(.weakPassword, .passwordIsTooShort), by: ruling)
            }
            var draft = Draft(ruling)
            draft.reasons.append(.addressIsFree)
            var account = Account(id: AccountID(bits: ruling.fresh.account), createdAt: ruling.now)
            account.email = email
            account.reservesEmail = true
            let method = account.add(.password(hash), at: ruling.now)
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
    /// What the password rule says, with the hash left out.
    package var finding: PasswordRule.Finding {
        switch self {
        case .success: .accepted
        case .failure(let refusal): refusal.finding
        }
    }
}

extension PasswordRule.Finding {
    package var reason: Reason {
        switch self {
        case .accepted: .passwordIsAccepted
        case .tooShort: .passwordIsTooShort
        case .tooLong: .passwordIsTooLong
        case .denied: .passwordIsDenied
        }
    }
}
