/// One account in the in-memory tables, with what changes too often to be part of its value.
///
/// Every table that leads to an account holds the number of its row, so that finding the owner of a key is one look-up.
struct AccountRow: TableRow {
    let id: AccountID
    /// The account; nil for one that is gone, or that a key names and nobody has made.
    var stored: AccountReference?
    private var lastMoment = OptionalMoment(nil)
    /// The first of the account's sessions, which leads to the next.
    var firstSession = RowNumber.none
    private var firstNotice = RowNumber.none
    private var firstOther = RowNumber.none
    /// How many keys and mentions lead here.
    var names: UInt32 = 0

    init(_ id: AccountID) { self.id = id }

    func isNamed(_ key: AccountID) -> Bool { id == key }

    var lastSignIn: Timestamp? {
        get { lastMoment.date }
        set { lastMoment = OptionalMoment(newValue) }
    }

    /// The lists of the one-time things about an account.
    enum List {
        /// Rights to contest a change; they are by themselves, since they are many and seldom asked for.
        case notices
        case others
    }

    /// The first one-time thing of a list, which leads to the next.
    subscript(list: List) -> RowNumber {
        get { list == .notices ? firstNotice : firstOther }
        set { if list == .notices { firstNotice = newValue } else { firstOther = newValue } }
    }

    /// Whether nothing would be lost with the row.
    var isIdle: Bool {
        stored == nil && names == 0 && firstSession == .none && firstOther == .none && firstNotice == .none
    }
}

/// Who owns an identity.
struct IdentityRow: TableRow {
    /// The method of the owner's that holds the key: by reference, so that no table holds it a second time.
    private let kind: Method.Kind
    var owner: RowNumber

    init(_ key: IdentityKey, of account: Account?, _ owner: RowNumber) {
        let methods = account?.methods ?? []
        if let index = methods.firstIndex(where: { $0.identityKey == key }) {
            kind = methods[index].kind
        } else {
            kind = .federated(Identity(key: key, provider: ProviderID(key.issuer.text)))
        }
        self.owner = owner
    }

    func isNamed(_ key: IdentityKey) -> Bool {
        guard case .federated(let identity) = kind else { return false }
        return identity.key == key
    }
}

/// Who owns a number.
struct PhoneRow: TableRow {
    let number: PhoneNumber
    var owner: RowNumber

    func isNamed(_ key: PhoneNumber) -> Bool { number == key }
}

/// What the tables know of one address.
struct AddressRow: TableRow {
    let email: EmailAddress
    /// Who has the address as the primary one.
    var owner = RowNumber.none
    /// Who mentions it: mostly one account, which needs no array.
    private var mentioner = RowNumber.none
    private var others: [RowNumber] = []

    init(_ email: EmailAddress) { self.email = email }

    func isNamed(_ key: EmailAddress) -> Bool { email == key }

    var mentioners: [RowNumber] { mentioner == .none ? others : [mentioner] + others }

    var isEmpty: Bool { owner == .none && mentioner == .none && others.isEmpty }

    mutating func mention(by account: RowNumber) {
        if mentioner == .none, others.isEmpty { mentioner = account } else { others.append(account) }
    }

    /// Takes an account off the list, and says how often it was there.
    mutating func forget(_ account: RowNumber) -> Int {
        let before = others.count
        others.removeAll { $0 == account }
        var gone = before - others.count
        if mentioner == account {
            mentioner = .none
            gone += 1
        }
        return gone
    }
}

/// One session, in the list of its account's.
struct SessionRow: TableRow {
    var session: Session
    var next: RowNumber

    func isNamed(_ key: SessionID) -> Bool { session.id == key }

    static func hash(of key: SessionID) -> UInt32 { key.spread }
}
