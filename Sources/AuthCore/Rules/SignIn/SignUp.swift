/// Makes an account with an address and a password.
struct SignUp: Operation {
    typealias Outcome = SignedIn

    let email: EmailAddress
    /// The hash of the password, or what the password rule has against it.
    let password: Result<PasswordHash, PasswordRefusal>

    init(email: EmailAddress, password: Result<PasswordHash, PasswordRefusal>) {
        self.email = email
        self.password = password
    }

    func lookups(_ request: Request) -> Lookups { NewMethod.password(email, password).lookups(request) }

    struct Facts: Sendable, Hashable {
        var address: AddressHolder
        var password: PasswordRule.Finding
        /// Whether nobody is to learn whether the address is taken, and a seat is there for the account to hang on.
        var isConcealed: Bool
    }

    enum Finding: Sendable, Hashable {
        case create
        /// An account that only its seat can enter until the address is proved, whether somebody has it or not.
        case createProvisional
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if facts.address == .owned && !facts.isConcealed { throw .addressOwned }
        switch facts.password {
        case .accepted: return facts.isConcealed ? .createProvisional : .create
        case .tooShort, .tooLong, .denied: throw Refusal(.weakPassword, facts.password.reason)
        }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if let refusal = context.policy.refusal(of: .password) { throw refusal }
        let facts = Facts(
            address: seen.owner(ofAddress: email, under: context.policy) == nil ? .free : .owned,
            password: password.finding,
            isConcealed: context.policy.concealsSignUp && context.seat != nil
        )
        let isProvisional = try Self.rule(facts) == .createProvisional
        let hash = try password.accepted()
        transaction.reasons.append(isProvisional ? .strangersLearnNothing : .addressIsFree)
        var account = Account(id: AccountID(bits: context.fresh.account), createdAt: context.now)
        account.email = email
        account.reservesEmail = !isProvisional
        account.isProvisional = isProvisional
        let method = account.add(.password(hash), at: context.now)
        if !isProvisional { transaction.expectNobody(hasTwinOf: email, in: seen) }
        if isProvisional, let seat = context.seat {
            transaction.keepProvisional(
                account,
                email,
                seat,
                isNew: seen.record(.provisional(email, seat)) == nil
            )
        }
        return transaction.signIn(to: &account, from: nil, showing: Showing(SessionBasis(method)))
    }
}

/// Whether an address is some account's own.
enum AddressHolder: Sendable, Hashable, CaseIterable {
    case free
    case owned
}

/// What the password rule has against a password.
struct PasswordRefusal: Error, Sendable, Hashable {
    let finding: PasswordRule.Finding

    init(finding: PasswordRule.Finding) { self.finding = finding }
}

extension Result<PasswordHash, PasswordRefusal> {
    /// The hash, if the password rule has nothing against the password.
    var hash: PasswordHash? { try? get() }

    /// The hash; throws what the password rule has against the password.
    func accepted() throws(Refusal) -> PasswordHash {
        switch self {
        case .success(let hash): return hash
        case .failure(let refusal): throw Refusal(.weakPassword, refusal.finding.reason)
        }
    }

    /// What the password rule says, with the hash left out.
    var finding: PasswordRule.Finding {
        switch self {
        case .success: .accepted
        case .failure(let refusal): refusal.finding
        }
    }
}

extension PasswordRule.Finding {
    /// Why the password is refused; one that is accepted is refused by nothing.
    var reason: Reason {
        switch self {
        case .accepted: .factsContradict
        case .tooShort: .passwordIsTooShort
        case .tooLong: .passwordIsTooLong
        case .denied: .passwordIsDenied
        }
    }
}

extension Transaction {
    /// Remembers in which seat the password of a provisional account is good.
    mutating func keepProvisional(
        _ account: Account,
        _ email: EmailAddress,
        _ seat: SeatID,
        isNew: Bool
    ) {
        let key = CapabilityKey.provisional(email, seat)
        let capability = Capability(
            key: key,
            account: account.id,
            createdAt: context.now,
            expiresAt: nil,
            seat: seat,
            content: .provisionalSignUp
        )
        changes.capabilities.append(isNew ? .put(capability) : .replace(capability))
    }
}

extension Transaction {
    /// What has a proven address is provisional no more, and its password is good everywhere.
    mutating func endProvision(of account: inout Account) {
        guard account.isProvisional else { return }
        account.isProvisional = false
        changes.capabilities.append(.revokeAll(account.id, [.provisionalSignUp]))
    }
}

extension Snapshot {
    /// The account that a seat signed up to and whose address is not proved yet.
    func provisionalAccount(_ key: CapabilityKey) -> Account? {
        guard record(key)?.purpose == .provisionalSignUp, let account = account(of: key), account.isProvisional
        else { return nil }
        return account
    }
}

extension CapabilityKey {
    /// The key under which a seat's provisional account for an address is found.
    static func provisional(_ email: EmailAddress, _ seat: SeatID) -> CapabilityKey {
        CapabilityKey(digestOf: "provisional\u{0}\(email.text)\u{0}\(seat.text)")
    }
}
