package import AuthCore

extension Message.Recipient {
    /// The address or number, for people.
    package var readable: String {
        switch self {
        case .email(let email): email.description
        case .phone(let number): number.description
        }
    }
}
