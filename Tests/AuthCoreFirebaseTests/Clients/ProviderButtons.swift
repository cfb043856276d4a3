import AuthCoreFirebase
import Foundation

// Code as apps have it, to be compiled: the buttons below a sign-in form, with completion handlers and older spellings.

@MainActor
final class ProviderButtons: NSObject, AuthUIDelegate {
    private var currentNonce: String?
    private var verificationID: String?
    private let microsoftProvider = OAuthProvider(providerID: "microsoft.com")
    var onError: ((NSError) -> Void)?

    func dismiss(animated flag: Bool, completion: (() -> Void)?) { completion?() }

    @available(*, deprecated)
    func appleDidFinish(idToken: Data, fullName: PersonNameComponents?) {
        guard let nonce = currentNonce, let idTokenString = String(data: idToken, encoding: .utf8) else { return }
        var credential = OAuthProvider.credential(
            withProviderID: "apple.com",
            idToken: idTokenString,
            rawNonce: nonce
        )
        credential = OAuthProvider.appleCredential(withIDToken: idTokenString, rawNonce: nonce, fullName: fullName)
        Auth.auth().signIn(with: credential) { result, error in
            if let error = error as NSError? { return self.handle(error) }
            print(result?.additionalUserInfo?.isNewUser ?? false, result?.user.displayName ?? "")
        }
    }

    func googleDidFinish(idToken: String, accessToken: String) {
        let credential = GoogleAuthProvider.credential(withIDToken: idToken, accessToken: accessToken)
        if let user = Auth.auth().currentUser, user.isAnonymous {
            user.link(with: credential) { _, error in
                guard let error = error as NSError? else { return }
                if error.code == AuthErrorCode.credentialAlreadyInUse.rawValue,
                    let updated = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential
                {
                    Auth.auth().signIn(with: updated)
                } else {
                    self.handle(error)
                }
            }
            return
        }
        Auth.auth().signIn(with: credential) { _, error in
            if let error = error as NSError? { self.handle(error) }
        }
    }

    func microsoft() {
        microsoftProvider.scopes = ["mail.read"]
        microsoftProvider.customParameters = ["prompt": "consent", "tenant": "organizations"]
        microsoftProvider.getCredentialWith(self) { credential, error in
            if let error = error as NSError? { return self.handle(error) }
            guard let credential else { return }
            Auth.auth().signIn(with: credential) { result, _ in
                print((result?.credential)?.accessToken ?? "", result?.additionalUserInfo?.profile ?? [:])
            }
        }
        Auth.auth().signIn(with: microsoftProvider, uiDelegate: self) { _, _ in }
    }

    func twitter(token: String, secret: String) async throws {
        try await Auth.auth().signIn(with: TwitterAuthProvider.credential(withToken: token, secret: secret))
    }

    func sendCode(to number: String) {
        Auth.auth().languageCode = "fr"
        Auth.auth().settings?.isAppVerificationDisabledForTesting = true
        PhoneAuthProvider.provider().verifyPhoneNumber(number, uiDelegate: nil) { verificationID, error in
            if let error { return self.handle(error as NSError) }
            self.verificationID = verificationID
            UserDefaults.standard.set(verificationID, forKey: "authVerificationID")
        }
    }

    func enter(_ code: String) {
        guard let verificationID else { return }
        let credential = PhoneAuthProvider.provider().credential(
            withVerificationID: verificationID,
            verificationCode: code
        )
        Auth.auth().signIn(with: credential) { _, error in
            if let error = error as NSError?, error.code == AuthErrorCode.secondFactorRequired.rawValue {
                let resolver = error.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver
                print(resolver?.hints.map { $0.displayName ?? "" } ?? [])
            }
        }
    }

    func open(_ link: String) {
        guard Auth.auth().isSignIn(withEmailLink: link), let email = UserDefaults.standard.string(forKey: "Email")
        else { return }
        Auth.auth().signIn(withEmail: email, link: link) { user, error in
            self.onError?(error as NSError? ?? NSError(domain: AuthErrorDomain, code: user == nil ? 1 : 0))
        }
    }

    private func handle(_ error: NSError) {
        guard error.domain == AuthErrorDomain, error.code != AuthErrorCode.webContextCancelled.rawValue else { return }
        print(error.userInfo[AuthErrorUserInfoNameKey] ?? "", error.userInfo[NSUnderlyingErrorKey] ?? "")
        onError?(error)
    }
}
