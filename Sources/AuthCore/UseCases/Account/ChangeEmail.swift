/// Changes the email address of the acting session's account at once, without verifying the new one.
struct ChangeEmail: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changeEmail }

    let handle: ActingHandle
    let email: EmailAddress
    /// The code with which the old address can reverse the change.
    let recovery: IssuedCode

    func moreLookups(_ request: Request) -> Lookups { [request.owner(of: email)] }

    struct Facts: Sendable, Hashable {
        var holder: OwnerRelation
        /// Whether the current address is verified, and the policy keeps it until the new one is verified.
        var mustStay: Bool
        /// Whether the caller must not learn whether another account has the address.
        var isConcealed: Bool
    }

    enum Finding: Sendable, Hashable {
        case change
        case nothingToDo
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        switch facts.holder {
        case .thePerson: return .nothingToDo
        case _ where facts.isConcealed: throw .ownershipConcealed
        case .another: throw .addressOwned
        case .nobody:
            if facts.mustStay { throw .addressStays }
            return .change
        }
    }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let facts = Facts(
            holder: OwnerRelation(ofWanted: email, for: acting.account, in: acting.seen, under: context.policy),
            mustStay: acting.account.keepsEmail(under: context.policy),
            isConcealed: !context.policy.tellsOwnership(to: AddressCaller(in: acting.account))
        )
        switch try Self.rule(facts) {
        case .nothingToDo:
            transaction.reasons.append(.addressIsTheSame)
            var account = acting.account
            return transaction.keep(acting, with: &account)
        case .change:
            try acting.requireSeniority(over: acting.addressAges, context)
            transaction.reasons.append(.personChangesAddress)
            var account = acting.account
            account.moveToUnverified(email, at: context.now)
            if acting.session.basis.kind != .anonymous {
                transaction.offerRecovery(of: acting.account, in: &account, recovery)
            }
            transaction.raiseSessionGeneration(of: &account, for: .emailChange, except: acting.session.id)
            return transaction.keep(acting, with: &account)
        }
    }
}
