public import Foundation

/// A provider that brings its credential along by itself, by showing a page of its own.
public protocol FederatedAuthProvider: NSObjectProtocol {
    /// Gets a credential from the provider.
    func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential
}
