/// A kind of second factor.
///
/// Later versions may add kinds, so a `switch` over them needs a `default`.
public struct FactorKind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind's name in tokens and records.
    public let rawValue: String

    /// Creates the kind with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// Digits that are sent to a phone number.
    public static let phone = FactorKind(rawValue: "phone")
    /// A code that an authenticator app displays.
    public static let totp = FactorKind(rawValue: "totp")
    /// A recovery code, used instead of a lost factor.
    public static let recoveryCode = FactorKind(rawValue: "recovery")
}

extension SecondFactor {
    /// The kind of factor.
    public var factorKind: FactorKind {
        switch kind {
        case .phone: .phone
        case .totp: .totp
        }
    }
}
