/// What a person shows as a second factor.
public struct SecondFactorAssertion: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    enum Content: Sendable, Hashable {
        case phone(verificationID: String, code: Secret)
        case totp(code: Secret, factor: FactorID?)
        case recoveryCode(Secret)
    }

    let content: Content

    private init(_ content: Content) { self.content = content }

    /// The id that the sending of the code returned, and the digits that arrived.
    public static func phone(verificationID: String, code: String) -> SecondFactorAssertion {
        SecondFactorAssertion(.phone(verificationID: verificationID, code: Secret(code)))
    }

    /// The digits that an authenticator app shows; of this factor, or of any.
    public static func totp(_ code: String, factor: FactorID? = nil) -> SecondFactorAssertion {
        SecondFactorAssertion(.totp(code: Secret(code), factor: factor))
    }

    /// One of the codes kept for the day all factors are lost; it works once.
    public static func recoveryCode(_ code: String) -> SecondFactorAssertion {
        SecondFactorAssertion(.recoveryCode(Secret(code)))
    }

    /// The kind of factor, and nothing that was shown.
    public var description: String {
        switch content {
        case .phone: "SecondFactorAssertion(phone)"
        case .totp: "SecondFactorAssertion(totp)"
        case .recoveryCode: "SecondFactorAssertion(recoveryCode)"
        }
    }

    /// The kind of factor, and nothing that was shown.
    public var debugDescription: String { description }

    /// A mirror with nothing in it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
