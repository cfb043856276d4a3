extension Session: RecordList {
    /// Reads the places of a stored list.
    init(reading list: inout RecordListReader) throws {
        let (id, account): (SessionID, AccountID) = (try list.value(), try list.value())
        let createdAt = try list.time()
        let sessionGeneration: UInt32 = try list.number()
        let basis = try Basis(reading: &list)
        let used = try list.elements { try Basis(reading: &$0) }
        let verified = try list.elements { try Evidence.Verification(reading: &$0) }
        let verifiedOnRequest = try list.elements { try Evidence.Verification(reading: &$0) }
        if verifiedOnRequest.count > 1 { throw list.refusal("More than one address verified on request") }
        let authenticatedAt = try list.ifPresent { try $0.time() }
        let activeAt = try list.ifPresent { try $0.time() }
        let expiresAt = try list.ifPresent { try $0.time() }
        let (refreshCount, rotation): (UInt32, UInt32) = (try list.number(), try list.number())
        self.init(
            id: id,
            account: account,
            sessionGeneration: sessionGeneration,
            basis: basis,
            at: createdAt,
            device: try list.ifPresent { try $0.value() },
            origin: try list.ifPresent { try $0.text() },
            deviceName: try list.ifPresent { try $0.text() },
            refreshHash: try list.ifPresent { try $0.bytes() }
        )
        self.used = used
        self.verified = verified
        self.verifiedOnRequest = verifiedOnRequest.first
        self.authenticatedAt = authenticatedAt ?? createdAt
        self.activeAt = activeAt ?? createdAt
        self.expiresAt = expiresAt
        self.refreshCount = refreshCount
        self.rotation = rotation
        let rest: Rest? = try list.ifPresent { try $0.object() }
        factor = rest?.factor
        claims = rest?.claims ?? [:]
        voidedCount = rest?.voidedCount ?? 0
    }

    /// Writes what most sessions have as places, and what few have as members of an object in the last place.
    ///
    /// A time that is the beginning's has an empty place, and so has an empty list.
    func write(to list: inout RecordListWriter) throws {
        try list.add(id)
        try list.add(account)
        try list.add(createdAt)
        try list.add(sessionGeneration)
        try basis.write(to: &list)
        try list.add(listUnless: used.isEmpty) { for basis in used { try basis.write(to: &$0) } }
        try list.add(listUnless: verified.isEmpty) { for entry in verified { try entry.write(to: &$0) } }
        try list.add(listUnless: verifiedOnRequest == nil) { try verifiedOnRequest?.write(to: &$0) }
        try list.add(authenticatedAt == createdAt ? nil : authenticatedAt)
        try list.add(activeAt == createdAt ? nil : activeAt)
        try list.add(expiresAt)
        try list.add(refreshCount)
        try list.add(rotation)
        try list.add(device)
        try list.add(origin)
        try list.add(deviceName)
        try list.add(bytes: refreshHash)
        let rest = Rest(
            factor: factor,
            claims: claims.isEmpty ? nil : claims,
            voidedCount: voidedCount == 0 ? nil : voidedCount
        )
        try list.add(object: rest == Rest() ? nil : rest)
    }

    /// What few sessions have, each part nil if there is nothing of it.
    private struct Rest: Codable, Hashable {
        var factor: SecondFactor.Use?
        var claims: [String: ClaimValue]?
        var voidedCount: UInt32?
    }
}

extension Session.Basis {
    fileprivate init(reading list: inout RecordListReader) throws {
        self.init(
            kind: try list.raw(),
            provider: ProviderID(try list.text()),
            generation: try list.ifPresent { try $0.number() }
        )
    }

    fileprivate func write(to list: inout RecordListWriter) throws {
        try list.add(kind.rawValue)
        try list.add(provider)
        try list.add(generation)
    }
}
