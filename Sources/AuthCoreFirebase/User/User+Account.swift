internal import AuthCore
internal import Foundation

extension User {
    func setEmail(_ email: String) async throws {
        let settings = ActionCodeSettings.messageSettings(nil, language: auth?.languageCode)
        try await acting { user throws(AuthError) in try await user.updateEmail(to: email, settings: settings) }
    }

    func setPassword(_ password: String) async throws {
        if password.isEmpty { throw NSError.emptyNewPassword }
        try await acting { user throws(AuthError) in try await user.updatePassword(to: password) }
    }

    func setPhoneNumber(_ credential: PhoneAuthCredential) async throws {
        try await acting { user throws(AuthError) in
            try await credential.tried { form throws(AuthError) in try await user.updatePhoneNumber(with: form) }
        }
    }

    func lookAgain() async throws {
        try await acting { user throws(AuthError) in try await user.reload() }
    }

    func idToken(_ isForced: Bool) async throws -> IDTokenResult {
        let last = core.lastToken?.token
        let result = try await acting(loadsAccount: false) { user throws(AuthError) in
            try await user.idTokenResult(forcingRefresh: isForced)
        }
        if result.token != last { await auth?.tokenDidChange(of: self) }
        return result
    }

    func mailVerification(_ settings: ActionCodeSettings?) async throws {
        let settings = ActionCodeSettings.messageSettings(settings, language: auth?.languageCode)
        try await acting(loadsAccount: false) { user throws(AuthError) in
            try await user.sendEmailVerification(settings: settings)
        }
    }

    func mailVerification(beforeUpdatingTo email: String, _ settings: ActionCodeSettings?) async throws {
        let settings = ActionCodeSettings.messageSettings(settings, language: auth?.languageCode)
        try await acting(loadsAccount: false) { user throws(AuthError) in
            try await user.sendEmailVerification(beforeUpdatingTo: email, settings: settings)
        }
    }

    func deleteAccount() async throws {
        try await acting(loadsAccount: false) { user throws(AuthError) in try await user.delete() }
        // Whichever session its user has here: the original compares the IDs.
        auth?.leave { $0.uid == uid }
        await auth?.listenersWereCalled()
    }
}

extension NSError {
    /// The error that the original gives for an empty new password, without a request.
    static var emptyNewPassword: NSError {
        NSError(.weakPassword, userInfo: [NSLocalizedFailureReasonErrorKey: "Missing password"])
    }
}
