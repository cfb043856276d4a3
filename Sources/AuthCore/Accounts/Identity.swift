/// What makes an identity unique: who says it, and whom they mean, byte for byte.
public struct IdentityKey: Sendable, Hashable, Codable, CustomStringConvertible {
    private let issuerName: OpenName
    /// The issuer's name for the person; never a user name or an address.
    public let subject: ExactText

    // The names that records have.
    private enum CodingKeys: String, CodingKey {
        case issuerName = "issuer"
        case subject
    }

    /// The key of this subject at this issuer.
    public init(issuer: String, subject: String) {
        issuerName = OpenName(issuer)
        self.subject = ExactText(subject)
    }

    /// The issuer, tenant included where there is one.
    public var issuer: ExactText { ExactText(issuerName.text) }

    /// The issuer and the subject.
    public var description: String { "\(issuer) \(subject)" }
}

/// How much a provider's word about an address is worth.
public enum AddressWord: Int, Sendable, Hashable, Codable, Comparable, CaseIterable {
    /// The provider repeats what it was told.
    case claimed = 0
    /// The provider confirmed the address once.
    case checked = 1
    /// The provider runs the mailbox.
    case authoritative = 2

    /// Orders words by their worth.
    public static func < (left: AddressWord, right: AddressWord) -> Bool { left.rawValue < right.rawValue }
}

/// One linked provider identity.
public struct Identity: Sendable, Hashable, Codable {
    // By reference, since it is looked at and handed on often, and never changed.
    private let fields: Boxed<IdentityFields>

    package init(
        key: IdentityKey,
        provider: ProviderID,
        email: EmailAddress? = nil,
        word: AddressWord = .claimed,
        displayName: String? = nil,
        photoURL: String? = nil,
        username: String? = nil
    ) {
        fields = Boxed(
            IdentityFields(
                key: key,
                provider: provider,
                email: email,
                displayName: displayName,
                photoURL: photoURL,
                username: username,
                word: word
            )
        )
    }

    /// Reads an identity field by field.
    public init(from decoder: any Decoder) throws { fields = try Boxed(from: decoder) }

    /// Writes the identity field by field.
    public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}

/// What an identity holds, in the names that records have.
private struct IdentityFields: Sendable, Hashable, Codable {
    let key: IdentityKey
    let provider: ProviderID
    let email: EmailAddress?
    let displayName: String?
    let photoURL: String?
    let username: String?
    let word: AddressWord
}

extension Identity {
    /// What makes it unique.
    public var key: IdentityKey { fields.value.key }

    /// The provider as the app names it.
    public var provider: ProviderID { fields.value.provider }

    /// The address the provider gave when it was last asked.
    public var email: EmailAddress? { fields.value.email }

    /// The name the provider gave.
    public var displayName: String? { fields.value.displayName }

    /// The picture the provider gave.
    public var photoURL: String? { fields.value.photoURL }

    /// The user name at the provider, for display only.
    public var username: String? { fields.value.username }

    /// What the provider's word about that address was worth.
    public var word: AddressWord { fields.value.word }
}
