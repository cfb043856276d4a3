// An app's code in the manner of today: Swift 6, async, the main actor.
import FirebaseAuth
import FirebaseCore

/// The model behind an app's screens.
@MainActor
public final class Model {
    private var handle: AuthStateDidChangeListenerHandle?
    private let auth: Auth
    /// Who is signed in, as the listener last said.
    public private(set) var uid: String?
    /// How often the listener was called.
    public private(set) var changes = 0

    /// A model over the default app's device.
    public init() {
        FirebaseApp.registerLibrary("strict-client", withVersion: "1")
        auth = Auth.auth()
        handle = auth.addStateDidChangeListener { [weak self] _, user in
            let uid = user?.uid
            MainActor.assumeIsolated {
                self?.uid = uid
                self?.changes += 1
            }
        }
    }

    /// Signs in, as the person's first visit does.
    public func signUp(_ email: String, _ password: String) async throws -> String {
        if let user = auth.currentUser, user.isAnonymous {
            let credential = EmailAuthProvider.credential(withEmail: email, password: password)
            return try await user.link(with: credential).user.uid
        }
        return try await auth.createUser(withEmail: email, password: password).user.uid
    }

    /// Looks around without an account.
    public func lookAround() async throws -> String { try await auth.signInAnonymously().user.uid }

    /// Says which providers the person has, and who issued the session.
    public func providers() async throws -> ([String], String) {
        guard let user = auth.currentUser else { return ([], "") }
        let result = try await user.getIDTokenResult(forcingRefresh: true)
        return (user.providerData.map(\.providerID), result.signInProvider)
    }

    /// Reads the code of whatever goes wrong.
    public func codeOfSignIn(_ email: String, _ password: String) async -> AuthErrorCode? {
        do {
            try await auth.signIn(withEmail: email, password: password)
            return nil
        } catch {
            return AuthErrorCode(rawValue: (error as NSError).code)
        }
    }

    /// Changes the name.
    public func rename(_ name: String) async throws {
        guard let request = auth.currentUser?.createProfileChangeRequest() else { return }
        request.displayName = name
        try await request.commitChanges()
    }

    /// Signs out.
    public func signOut() throws {
        try auth.signOut()
    }

    /// Stops listening.
    public func stop() {
        if let handle { auth.removeStateDidChangeListener(handle) }
    }
}
