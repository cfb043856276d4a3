public import Foundation

/// A provider that gets its credential itself, by showing its own page.
public protocol FederatedAuthProvider: NSObjectProtocol {
    /// Gets a credential from the provider.
    func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential
}
