// Written out, since in a record the rare fields stand beside the others.
extension Session: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, account, epoch, basis, used, proved, factor, createdAt, authenticatedAt, expiresAt, isRecovery
        case seat, origin, device, refreshHash, refreshCount, claims
    }

    /// Reads a session field by field.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        var fields = Fields(
            id: try values.decode(SessionID.self, forKey: .id),
            account: try values.decode(AccountID.self, forKey: .account),
            epoch: try values.decode(UInt32.self, forKey: .epoch),
            basis: try values.decode(SessionBasis.self, forKey: .basis),
            at: try values.decode(Timestamp.self, forKey: .createdAt)
        )
        fields.used = Several(try values.decode([SessionBasis].self, forKey: .used))
        fields.proved = Several(try values.decode([Evidence.Subject].self, forKey: .proved))
        fields.authenticatedAt = try values.decode(Timestamp.self, forKey: .authenticatedAt)
        fields.locate(
            seat: try values.decodeIfPresent(SeatID.self, forKey: .seat),
            origin: try values.decodeIfPresent(String.self, forKey: .origin),
            device: try values.decodeIfPresent(String.self, forKey: .device)
        )
        fields.factor = try values.decodeIfPresent(FactorUse.self, forKey: .factor)
        fields.expiresAt = try values.decodeIfPresent(Timestamp.self, forKey: .expiresAt)
        fields.isRecovery = try values.decode(Bool.self, forKey: .isRecovery)
        fields.refreshHash = try values.decodeIfPresent([UInt8].self, forKey: .refreshHash)
        fields.refreshCount = try values.decode(UInt32.self, forKey: .refreshCount)
        fields.claims = try values.decode([String: ClaimValue].self, forKey: .claims)
        self.init(fields)
    }

    /// Writes the session field by field.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(account, forKey: .account)
        try values.encode(epoch, forKey: .epoch)
        try values.encode(basis, forKey: .basis)
        try values.encode(used, forKey: .used)
        try values.encode(proved, forKey: .proved)
        try values.encodeIfPresent(factor, forKey: .factor)
        try values.encode(createdAt, forKey: .createdAt)
        try values.encode(authenticatedAt, forKey: .authenticatedAt)
        try values.encodeIfPresent(expiresAt, forKey: .expiresAt)
        try values.encode(isRecovery, forKey: .isRecovery)
        try values.encodeIfPresent(seat, forKey: .seat)
        try values.encodeIfPresent(origin, forKey: .origin)
        try values.encodeIfPresent(device, forKey: .device)
        try values.encodeIfPresent(refreshHash, forKey: .refreshHash)
        try values.encode(refreshCount, forKey: .refreshCount)
        try values.encode(claims, forKey: .claims)
    }
}
