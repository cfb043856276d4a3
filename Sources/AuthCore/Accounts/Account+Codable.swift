// Written out, since in a record the rare fields stand beside the others.
extension Account: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, version, epoch, nextGeneration, createdAt
        case isAnonymous, isDisabled, wasEverProven, acceptsCustomTokens, isProvisional
        case email, reservesEmail, firstEmail, displayName, photoURL
        case customClaims, methods, factors, recoveryCodes, evidence
        case severedIssuers, reservations, hold, deletedUntil
    }

    /// Reads an account field by field.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(AccountID.self, forKey: .id),
            createdAt: try fields.decode(Timestamp.self, forKey: .createdAt)
        )
        version = try fields.decode(UInt64.self, forKey: .version)
        epoch = try fields.decode(UInt32.self, forKey: .epoch)
        nextGeneration = try fields.decode(UInt32.self, forKey: .nextGeneration)
        isAnonymous = try fields.decode(Bool.self, forKey: .isAnonymous)
        isDisabled = try fields.decode(Bool.self, forKey: .isDisabled)
        wasEverProven = try fields.decode(Bool.self, forKey: .wasEverProven)
        acceptsCustomTokens = try fields.decode(Bool.self, forKey: .acceptsCustomTokens)
        isProvisional = try fields.decode(Bool.self, forKey: .isProvisional)
        email = try fields.decodeIfPresent(EmailAddress.self, forKey: .email)
        reservesEmail = try fields.decode(Bool.self, forKey: .reservesEmail)
        firstEmail = try fields.decodeIfPresent(EmailAddress.self, forKey: .firstEmail)
        displayName = try fields.decodeIfPresent(String.self, forKey: .displayName)
        photoURL = try fields.decodeIfPresent(String.self, forKey: .photoURL)
        customClaims = try fields.decode([String: ClaimValue].self, forKey: .customClaims)
        methods = try fields.decode([Method].self, forKey: .methods)
        factors = try fields.decode([SecondFactor].self, forKey: .factors)
        recoveryCodes = try fields.decode([RecoveryCode].self, forKey: .recoveryCodes)
        evidence = try fields.decode([Evidence].self, forKey: .evidence)
        severedIssuers = try fields.decode([ExactText].self, forKey: .severedIssuers)
        reservations = try fields.decode([Reservation].self, forKey: .reservations)
        hold = try fields.decodeIfPresent(Hold.self, forKey: .hold)
        deletedUntil = try fields.decodeIfPresent(Timestamp.self, forKey: .deletedUntil)
    }

    /// Writes the account field by field.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(version, forKey: .version)
        try fields.encode(epoch, forKey: .epoch)
        try fields.encode(nextGeneration, forKey: .nextGeneration)
        try fields.encode(createdAt, forKey: .createdAt)
        try fields.encode(isAnonymous, forKey: .isAnonymous)
        try fields.encode(isDisabled, forKey: .isDisabled)
        try fields.encode(wasEverProven, forKey: .wasEverProven)
        try fields.encode(acceptsCustomTokens, forKey: .acceptsCustomTokens)
        try fields.encode(isProvisional, forKey: .isProvisional)
        try fields.encodeIfPresent(email, forKey: .email)
        try fields.encode(reservesEmail, forKey: .reservesEmail)
        try fields.encodeIfPresent(firstEmail, forKey: .firstEmail)
        try fields.encodeIfPresent(displayName, forKey: .displayName)
        try fields.encodeIfPresent(photoURL, forKey: .photoURL)
        try fields.encode(customClaims, forKey: .customClaims)
        try fields.encode(methods, forKey: .methods)
        try fields.encode(factors, forKey: .factors)
        try fields.encode(recoveryCodes, forKey: .recoveryCodes)
        try fields.encode(evidence, forKey: .evidence)
        try fields.encode(severedIssuers, forKey: .severedIssuers)
        try fields.encode(reservations, forKey: .reservations)
        try fields.encodeIfPresent(hold, forKey: .hold)
        try fields.encodeIfPresent(deletedUntil, forKey: .deletedUntil)
    }
}
