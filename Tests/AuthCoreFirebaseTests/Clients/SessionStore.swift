import AuthCoreFirebase
import AuthCoreFirebaseApp
import Foundation

// Code as apps have it, to be compiled: a store of the signed-in state, as a SwiftUI app injects it.

@MainActor
protocol AuthServicing: AnyObject {
    var user: User? { get }
    func signIn(email: String, password: String) async throws
    func signOut()
}

@MainActor
final class SessionStore: AuthServicing {
    enum State: Equatable {
        case loading, signedOut, needsVerification(email: String), signedIn(uid: String)
    }

    private(set) var state = State.loading
    private(set) var errorMessage: String?
    private(set) var user: User?
    private var handle: (any AuthStateDidChangeListenerHandle)?
    private var task: Task<Void, Never>?

    static func bootstrap() {
        FirebaseConfiguration.shared.setLoggerLevel(.min)
        if FirebaseApp.app() == nil { FirebaseApp.configure() }
        print("Firebase", FirebaseVersion())
    }

    func listen() {
        handle = Auth.auth().addStateDidChangeListener { [weak self] _, user in
            MainActor.assumeIsolated { self?.update(user) }
        }
        task = Task { [weak self] in
            for await user in Auth.auth().authStateChanges { self?.update(user) }
        }
    }

    func unbind() {
        if let handle { Auth.auth().removeStateDidChangeListener(handle) }
        handle = nil
        task?.cancel()
    }

    private func update(_ user: User?) {
        self.user = user
        guard let user else { return state = .signedOut }
        if let email = user.email, !user.isEmailVerified {
            state = .needsVerification(email: email)
        } else {
            state = .signedIn(uid: user.uid)
        }
    }

    func signIn(email: String, password: String) async throws {
        do {
            let result = try await Auth.auth().signIn(withEmail: email, password: password)
            update(result.user)
        } catch let error as NSError {
            switch AuthErrorCode(rawValue: error.code) {
            case .invalidEmail, .wrongPassword, .userNotFound: errorMessage = "Check the address and the password."
            case .userDisabled: errorMessage = "This account is locked."
            case .tooManyRequests: errorMessage = "Too many attempts."
            case .networkError: errorMessage = "You seem to be offline."
            case .some, .none: errorMessage = error.localizedDescription
            }
            throw error
        }
    }

    func signUp(email: String, password: String, name: String) async throws {
        let user = try await Auth.auth().createUser(withEmail: email, password: password).user
        let request = user.createProfileChangeRequest()
        request.displayName = name
        request.photoURL = URL(string: "https://app.example/placeholder.png")
        try await request.commitChanges()
        try await user.sendEmailVerification()
        try await user.reload()
        update(Auth.auth().currentUser)
    }

    func signOut() {
        do { try Auth.auth().signOut() } catch { errorMessage = error.localizedDescription }
    }

    /// What is written to a database beside the account.
    func document() -> [String: Any] {
        [
            "uid": user?.uid as Any, "providers": user?.providerData.map(\.providerID) ?? [],
            "createdAt": user?.metadata.creationDate.map { Timestamp(date: $0) } as Any, "seenAt": Timestamp(),
        ]
    }
}
