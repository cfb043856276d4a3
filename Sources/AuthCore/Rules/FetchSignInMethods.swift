/// Lists the methods that sign in under an address, as far as the policy lets a stranger know.
struct FetchSignInMethods: Operation {
    typealias Outcome = [String]

    let email: EmailAddress

    init(email: EmailAddress) { self.email = email }

    func lookups(_ request: Request) -> Lookups {
        var lookups = Lookups()
        lookups.insert(ownerOf: email)
        lookups.insert(.referencing(email))
        return lookups
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<[String]> {
        var draft = Draft(ruling)
        if ruling.policy.disclosure == .uniform {
            draft.reasons.append(.strangersLearnNothing)
            return draft.granted([])
        }
        draft.reasons.append(.methodsAreListed)
        let owner = snapshot.owner(of: .primaryEmail(email))
        guard let account = owner ?? snapshot.oldestAccount(referencing: email) else {
            return draft.granted([])
        }
        switch ruling.policy.accountsPerEmail {
        case .one: return draft.granted(account.signInMethodNames)
        case .multiple: return draft.granted(owner != nil ? account.signInMethodNames.filter(\.isMailMethod) : [])
        }
    }
}

/// Mails whoever owns the mailbox how the account of its address is signed in to; who asks learns nothing.
struct MailSignInMethods: Operation {
    typealias Outcome = Void

    let email: EmailAddress
    let code: IssuedCode
    let settings: MessageSettings?

    init(email: EmailAddress, code: IssuedCode, settings: MessageSettings?) {
        self.email = email
        self.code = code
        self.settings = settings
    }

    func lookups(_ request: Request) -> Lookups { FetchSignInMethods(email: email).lookups(request) }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Void> {
        let account =
            snapshot.owner(ofAddress: email, under: ruling.policy)
            ?? snapshot.oldestAccount(referencing: email) { $0.email == email }
        var draft = Draft(ruling)
        draft.reasons.append(.strangersLearnNothing)
        draft.inform(email, .signInMethods, about: account?.id, by: code, settings: settings)
        return draft.granted(())
    }
}

extension String {
    fileprivate var isMailMethod: Bool { self == "password" || self == "emailLink" }
}

extension Account {
    /// The names of the sign-in methods, sorted; a number is never listed.
    var signInMethodNames: [String] {
        var names: Set<String> = []
        for method in methods {
            switch method.kind {
            case .password: if email != nil { names.insert("password") }
            case .emailLink: if email != nil { names.insert("emailLink") }
            case .federated(let identity): names.insert(identity.provider.rawValue)
            case .phone: break
            }
        }
        return names.sorted()
    }
}
