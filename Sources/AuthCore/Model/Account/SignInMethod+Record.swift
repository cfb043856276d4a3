extension SignInMethod: RecordList {
    /// Reads the places of a stored list.
    init(reading list: inout RecordListReader) throws {
        let kind: MethodKind = try list.raw()
        let addedAt = try list.time()
        let generation: UInt32 = try list.number()
        let seniorSince = try list.ifPresent { try $0.time() }
        let coverage = try list.elements { try Evidence.Verification(reading: &$0) }
        let suspension: [Suspension] = try list.elements { try Suspension(since: $0.time(), reason: $0.raw()) }
        if suspension.count > 1 { throw list.refusal("More than one suspension") }
        let data: Kind
        switch kind {
        case .password: data = .password(PasswordHash(tagged: try list.text()))
        case .emailLink: data = .emailLink
        case .phone: data = .phone(try list.value())
        case .federated: data = .federated(try Identity(reading: &list))
        case .customToken, .anonymous: throw list.refusal("No sign-in method of an account")
        }
        self.init(data, addedAt: addedAt, generation: generation, coverage: coverage)
        self.seniorSince = seniorSince ?? addedAt
        self.suspension = suspension.first
    }

    /// Writes what every method has, then the data of its kind.
    func write(to list: inout RecordListWriter) throws {
        try list.add(kind.methodKind.rawValue)
        try list.add(addedAt)
        try list.add(generation)
        try list.add(seniorSince == addedAt ? nil : seniorSince)
        try list.add(listUnless: coverage.isEmpty) { for entry in coverage { try entry.write(to: &$0) } }
        try list.add(listUnless: suspension == nil) { list in
            try list.add(suspension?.since)
            try list.add(suspension?.reason.rawValue)
        }
        switch kind {
        case .password(let hash): try list.add(hash.tagged)
        case .emailLink: break
        case .phone(let number): try list.add(number)
        case .federated(let identity): try identity.write(to: &list)
        }
    }
}

extension Identity {
    fileprivate init(reading list: inout RecordListReader) throws {
        let key = try Key(reading: &list)
        let provider = ProviderID(try list.text())
        let assurance: EmailAssurance = try list.raw()
        self.init(
            key: key,
            provider: provider,
            email: try list.ifPresent { try $0.value() },
            assurance: assurance,
            displayName: try list.ifPresent { try $0.text() },
            photoURL: try list.ifPresent { try $0.text() },
            username: try list.ifPresent { try $0.text() }
        )
    }

    fileprivate func write(to list: inout RecordListWriter) throws {
        try key.write(to: &list)
        try list.add(provider)
        try list.add(assurance.rawValue)
        try list.add(email)
        try list.add(displayName)
        try list.add(photoURL)
        try list.add(username)
    }
}
