// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An app's view model: what its sign-in screen shows, and what its buttons do. No word of AuthCore.
import FirebaseAuth
import Foundation

/// What the sign-in screen shows.
public enum SignInStep: Equatable, Sendable {
    case signedOut
    case signedIn(String)
    /// The address has an account, which the person must sign in to first.
    case accountExists(email: String)
    /// The code that was sent to one of the person's numbers.
    case code(sentTo: String)
    case failed(String)
}

@MainActor
public final class SignInModel {
    public private(set) var step = SignInStep.signedOut
    /// What was tried for an address that has an account already.
    private var pending: (credential: AuthCredential, email: String)?
    private var resolver: MultiFactorResolver?
    private var verificationID: String?
    private var listener: AuthStateDidChangeListenerHandle?

    public init() {
        listener = Auth.auth().addStateDidChangeListener { [weak self] _, user in
            let uid = user?.uid
            Task { @MainActor in self?.userDidChange(uid) }
        }
    }

    deinit {
        if let listener { Auth.auth().removeStateDidChangeListener(listener) }
    }

    private func userDidChange(_ uid: String?) {
        if let uid { step = .signedIn(uid) } else if case .signedIn = step { step = .signedOut }
    }

    /// The button of a provider; a guest keeps the account.
    public func signIn(with credential: AuthCredential) async {
        await attempt {
            if let guest = Auth.auth().currentUser, guest.isAnonymous {
                return try await guest.link(with: credential).user
            }
            return try await Auth.auth().signIn(with: credential).user
        }
    }

    /// The button below the fields for address and password.
    public func signIn(email: String, password: String) async {
        await attempt { try await Auth.auth().signIn(withEmail: email, password: password).user }
    }

    /// The button below the field for the code.
    public func enter(code: String) async {
        guard let resolver, let verificationID else { return }
        await attempt {
            let credential = PhoneAuthProvider.provider().credential(
                withVerificationID: verificationID,
                verificationCode: code
            )
            let assertion = PhoneMultiFactorGenerator.assertion(with: credential)
            return try await resolver.resolveSignIn(with: assertion).user
        }
    }

    /// Links what was tried before, if it was tried for this person's address.
    private func attempt(_ work: () async throws -> User) async {
        do {
            let user = try await work()
            if let pending, pending.email == user.email {
                // The person is signed in even if it is too late for this.
                _ = try? await user.link(with: pending.credential)
            }
            pending = nil
            step = .signedIn(user.uid)
        } catch let error as NSError {
            await show(error)
        }
    }

    private func show(_ error: NSError) async {
        switch AuthErrorCode(rawValue: error.code) {
        case .accountExistsWithDifferentCredential:
            let email = error.userInfo[AuthErrorUserInfoEmailKey] as? String ?? ""
            let credential = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential
            pending = credential.map { ($0, email) }
            step = .accountExists(email: email)
        case .secondFactorRequired:
            resolver = error.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver
            await sendCode()
        case .credentialAlreadyInUse:
            // The guest's account is left for the one that the credential opens.
            guard let updated = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential else {
                return step = .failed(error.localizedDescription)
            }
            await attempt { try await Auth.auth().signIn(with: updated).user }
        case .networkError: step = .failed("Please try again when you are online.")
        case .tooManyRequests: step = .failed("Please wait a moment.")
        case .wrongPassword, .userNotFound, .invalidCredential: step = .failed("Address or password are not right.")
        default: step = .failed(error.localizedDescription)
        }
    }

    private func sendCode() async {
        guard let resolver, let hint = resolver.hints.first as? PhoneMultiFactorInfo else {
            return step = .failed("This app knows only factors with a number.")
        }
        do {
            verificationID = try await PhoneAuthProvider.provider().verifyPhoneNumber(
                with: hint,
                uiDelegate: nil,
                multiFactorSession: resolver.session
            )
            step = .code(sentTo: hint.phoneNumber)
        } catch {
            step = .failed(error.localizedDescription)
        }
    }
}
