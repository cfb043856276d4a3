extension Evidence: RecordList {
    /// The names of sources.
    private enum SourceName: String {
        case mailboxCode, phoneCode, provider, administrator, imported, trustedImport
    }

    /// Reads the places of a stored list.
    init(reading list: inout RecordListReader) throws {
        let subject = try list.valid(Subject(text: try list.text()))
        let name: SourceName = try list.raw()
        let count: Int = try list.number()
        let firstAt = try list.time()
        let lastAt = try list.ifPresent { try $0.time() }
        let staleSince = try list.ifPresent { try $0.time() }
        let source: Source
        switch name {
        case .mailboxCode: source = .mailboxCode
        case .phoneCode: source = .phoneCode
        case .administrator: source = .administrator
        case .imported: source = .imported(trusted: false)
        case .trustedImport: source = .imported(trusted: true)
        case .provider: source = .provider(try Identity.Key(reading: &list), try list.raw())
        }
        self.init(subject, source, at: firstAt)
        self.count = count
        self.lastAt = lastAt ?? firstAt
        self.staleSince = staleSince
    }

    /// Writes what all evidence has, then the identity of a provider's.
    func write(to list: inout RecordListWriter) throws {
        try list.add(subject.text)
        try list.add(sourceName.rawValue)
        try list.add(count)
        try list.add(firstAt)
        try list.add(lastAt == firstAt ? nil : lastAt)
        try list.add(staleSince)
        guard case .provider(let key, let assurance) = source else { return }
        try key.write(to: &list)
        try list.add(assurance.rawValue)
    }

    private var sourceName: SourceName {
        switch source {
        case .mailboxCode: .mailboxCode
        case .phoneCode: .phoneCode
        case .provider: .provider
        case .administrator: .administrator
        case .imported(let isTrusted): isTrusted ? .trustedImport : .imported
        }
    }
}

extension Evidence.Verification {
    init(reading list: inout RecordListReader) throws {
        try self.init(list.valid(Evidence.Subject(text: list.text())), at: list.time())
    }

    func write(to list: inout RecordListWriter) throws {
        try list.add(subject.text)
        try list.add(at)
    }
}
