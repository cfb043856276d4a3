extension Account: RecordList {
    /// Reads the places of a stored list.
    init(reading list: inout RecordListReader) throws {
        self.init(id: try list.value(), createdAt: try list.time())
        version = try list.number()
        sessionGeneration = try list.number()
        nextGeneration = try list.number()
        let flags: UInt32 = try list.number()
        if flags >> 6 != 0 { throw list.refusal("A flag that accounts do not have") }
        isAnonymous = flags & 1 != 0
        isDisabled = flags & 2 != 0
        wasEverVerified = flags & 4 != 0
        acceptsCustomTokens = flags & 8 != 0
        isProvisional = flags & 16 != 0
        reservesEmail = flags & 32 != 0
        email = try list.ifPresent { try $0.value() }
        methods = try list.parts()
        evidence = try list.parts()
        displayName = try list.ifPresent { try $0.text() }
        photoURL = try list.ifPresent { try $0.text() }
        knownDevices = try list.elements { try $0.value() }
        let rest: Rest? = try list.ifPresent { try $0.object() }
        rest?.complete(&self)
    }

    /// Writes what most accounts have as places, and what few have as members of an object in the last place.
    func write(to list: inout RecordListWriter) throws {
        try list.add(id)
        try list.add(createdAt)
        try list.add(version)
        try list.add(sessionGeneration)
        try list.add(nextGeneration)
        let flags = [isAnonymous, isDisabled, wasEverVerified, acceptsCustomTokens, isProvisional, reservesEmail]
        try list.add(flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) } as UInt32)
        try list.add(email)
        try list.add(methods)
        try list.add(evidence)
        try list.add(displayName)
        try list.add(photoURL)
        try list.add(listUnless: knownDevices.isEmpty) { for device in knownDevices { try $0.add(device) } }
        let rest = Rest(self)
        try list.add(object: rest == Rest() ? nil : rest)
    }

    /// What few accounts have, each part nil if there is nothing of it.
    private struct Rest: Codable, Hashable {
        var emailSetAt: Timestamp?
        var firstEmail: EmailAddress?
        var customClaims: [String: ClaimValue]?
        var factors: [SecondFactor]?
        var recoveryCodes: [SecondFactor.RecoveryCode]?
        var blockedIssuers: [ExactText]?
        var reservations: [Reservation]?
        var mergeLock: MergeLock?
        var deletedUntil: Timestamp?
        var dueAt: Timestamp?
        var customTokenAt: Timestamp?

        init() {}

        init(_ account: Account) {
            emailSetAt = account.emailSetAt
            firstEmail = account.firstEmail
            customClaims = account.customClaims.isEmpty ? nil : account.customClaims
            factors = account.factors.isEmpty ? nil : account.factors
            recoveryCodes = account.recoveryCodes.isEmpty ? nil : account.recoveryCodes
            blockedIssuers = account.blockedIssuers.isEmpty ? nil : account.blockedIssuers
            reservations = account.reservations.isEmpty ? nil : account.reservations
            mergeLock = account.mergeLock
            deletedUntil = account.deletedUntil
            dueAt = account.dueAt
            customTokenAt = account.customTokenAt
        }

        func complete(_ account: inout Account) {
            account.emailSetAt = emailSetAt
            account.customTokenAt = customTokenAt
            account.firstEmail = firstEmail
            account.customClaims = customClaims ?? [:]
            account.factors = factors ?? []
            account.recoveryCodes = recoveryCodes ?? []
            account.blockedIssuers = blockedIssuers ?? []
            account.reservations = reservations ?? []
            account.mergeLock = mergeLock
            account.deletedUntil = deletedUntil
            account.dueAt = dueAt
        }
    }
}
