import AuthCore
import Observation

// InAnApp.md begins
/// What the account screen shows, and what its buttons do.
@MainActor @Observable
final class AccountModel {
    /// What the person is asked before a sign-in can go on.
    enum Question {
        case existingMethod(Conflict)
        case code(SecondFactor.Challenge)
    }

    private(set) var name: String?
    private(set) var methods: [ProviderID] = []
    private(set) var question: Question?
    private(set) var message: String?
    private let auth: Auth

    init(_ auth: Auth) { self.auth = auth }

    /// Runs as long as the screen is there: `.task { await model.follow() }`.
    func follow() async {
        for await change in auth.changes() {
            name = change.user.map { $0.displayName ?? $0.email ?? "Guest" }
            methods = change.user?.providerData.map(\.provider) ?? []
            if case .sessionEnded = change { message = "You were signed out." }
        }
    }

    func signIn(with credential: AuthCredential) async {
        await attempt { try await auth.signIn(with: credential) }
    }

    /// Answers the question with a credential of a method that the person used before.
    func answer(with credential: AuthCredential) async {
        guard case .existingMethod(let conflict) = question else { return }
        await attempt { try await auth.resolve(conflict, signingInWith: credential) }
    }

    /// Answers the question with the digits of the authenticator app.
    func answer(withDigits digits: String) async {
        guard case .code(let challenge) = question else { return }
        await attempt { try await auth.resolve(challenge, with: .totp(digits)) }
    }

    func signOut() async {
        do { try await auth.signOut() } catch { message = text(for: error) }
    }

    private func attempt(_ act: () async throws -> AuthResult) async {
        message = nil
        do {
            methods = try await act().user.providerData.map(\.provider)
            question = nil
        } catch let error as AuthError {
            switch error.detail {
            case .conflict(let conflict): question = .existingMethod(conflict)
            case .secondFactor(let challenge): question = .code(challenge)
            case nil: message = text(for: error)
            }
        } catch {
            message = "Something went wrong."
        }
    }

    /// What the person reads; the error's own message is for developers and logs.
    private func text(for error: AuthError) -> String {
        switch error.code {
        case .invalidCredential, .invalidVerificationCode, .wrongPassword: "That is not right. Please try again."
        case .tooManyRequests: "Too many attempts. Please wait a moment."
        case .networkError, .storeUnavailable, .overloaded: "This does not work at the moment. Please try again."
        default: "Something went wrong (\(error.code.rawValue))."
        }
    }
}
// InAnApp.md ends
