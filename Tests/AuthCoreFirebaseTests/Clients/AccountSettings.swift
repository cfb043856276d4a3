import AuthCoreFirebase
import Foundation

// Code as apps have it, to be compiled: the page on which a person changes the account.

struct AccountSettings {
    enum Failure: Error { case notSignedIn }

    private func user() throws -> User {
        guard let user = Auth.auth().currentUser else { throw Failure.notSignedIn }
        return user
    }

    /// Repeats what needs a recent sign-in after another one.
    func sensitive(_ credential: AuthCredential, _ work: (User) async throws -> Void) async throws {
        let user = try user()
        do {
            try await work(user)
        } catch let error as NSError where error.code == AuthErrorCode.requiresRecentLogin.rawValue {
            let fresh = try await user.reauthenticate(with: credential).user
            try await work(fresh)
        }
    }

    func changeEmail(to email: String, password: String) async throws {
        let old = try user().email ?? ""
        let credential = EmailAuthProvider.credential(withEmail: old, password: password)
        try await sensitive(credential) { user in
            let settings = ActionCodeSettings()
            settings.url = URL(string: "https://app.example/?email=\(email)")
            settings.setIOSBundleID("com.example.app")
            settings.setAndroidPackageName("com.example.app", installIfNotAvailable: false, minimumVersion: "12")
            settings.handleCodeInApp = true
            try await user.sendEmailVerification(beforeUpdatingEmail: email, actionCodeSettings: settings)
        }
    }

    func changePassword(to new: String, old: String) async throws {
        let credential = EmailAuthProvider.credential(withEmail: try user().email ?? "", password: old)
        try await sensitive(credential) { try await $0.updatePassword(to: new) }
    }

    func remove(_ provider: String) async throws -> [String] {
        try await user().unlink(fromProvider: provider).providerData.map(\.providerID)
    }

    func addAuthenticatorApp(code: (String) -> String) async throws {
        let user = try user()
        let session = try await user.multiFactor.session()
        let secret = try await TOTPMultiFactorGenerator.generateSecret(with: session)
        let url = secret.generateQRCodeURL(withAccountName: user.email ?? "", issuer: "App")
        let assertion = TOTPMultiFactorGenerator.assertionForEnrollment(with: secret, oneTimePassword: code(url))
        try await user.multiFactor.enroll(with: assertion, displayName: "Authenticator")
    }

    func removeFactors() async throws {
        let factors = try user().multiFactor
        for info in factors.enrolledFactors where info.factorID == PhoneMultiFactorID {
            try await factors.unenroll(with: info)
        }
    }

    /// The header of requests to the app's own server.
    func authorization() async throws -> (String, isAdmin: Bool) {
        let result = try await user().getIDTokenResult(forcingRefresh: true)
        return ("Bearer \(result.token)", result.claims["admin"] as? Bool ?? false)
    }

    func deleteAccount(with provider: OAuthProvider) async throws {
        let user = try user()
        try await user.reauthenticate(with: provider, uiDelegate: nil)
        try await user.delete()
    }

    func handle(_ link: String) async throws {
        guard let url = ActionCodeURL(link: link), let code = url.code else { return }
        switch url.operation {
        case .passwordReset: print(try await Auth.auth().verifyPasswordResetCode(code))
        case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
            let info = try await Auth.auth().checkActionCode(code)
            try await Auth.auth().applyActionCode(code)
            print(info.email, info.previousEmail ?? "")
        default: break
        }
    }
}
