import AuthCore

/// A count of what people are asked for.
///
/// A prompt is what a person has to do besides the step that the story names: type a password, tap a provider, read a
/// code from a message, open a mailed link.
struct Prompts {
    enum Prompt: Hashable {
        case password
        case provider(ProviderID)
        case code
        case link
    }

    private(set) var all: [Prompt] = []

    /// The credential with which a person answers a prompt.
    mutating func asked(_ prompt: Prompt, for credential: AuthCredential) -> AuthCredential {
        all.append(prompt)
        return credential
    }
}
