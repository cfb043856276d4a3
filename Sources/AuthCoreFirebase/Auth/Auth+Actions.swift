internal import AuthCore
internal import Foundation

extension Auth {
    func resetPassword(_ code: String, _ newPassword: String) async throws {
        if newPassword.isEmpty { throw NSError.emptyNewPassword }
        let report = try await asking { client throws(AuthError) in
            try await client.confirmPasswordReset(code: code, newPassword: newPassword)
        }
        if let device = report.device { use(device) }
    }

    func inspect(_ code: String) async throws -> ActionCodeInfo {
        ActionCodeInfo(
            try await asking { client throws(AuthError) in
                try await client.checkActionCode(code)
            }
        )
    }

    func addressOfPasswordReset(_ code: String) async throws -> String {
        let info = try await inspect(code)
        guard info.operation == .passwordReset else { throw NSError(.invalidActionCode) }
        return info.email
    }

    func apply(_ code: String) async throws {
        // The session of the current user also verifies the methods that it used.
        let user = currentUser
        let version = user?.core.account.version
        try await asking { client throws(AuthError) in
            if let user { try await user.core.applyActionCode(code) } else { try await client.applyActionCode(code) }
        }
        guard let user else { return }
        await user.renewTokens()
        if user.core.account.version != version { return await tokenDidChange(of: user) }
        // Nothing new was read of the account: the code may have ended the session.
        await user.leaveIfEnded()
    }

    func mailPasswordReset(_ email: String, _ settings: ActionCodeSettings?) async throws {
        if email.isEmpty { throw NSError(.missingEmail) }
        let settings = ActionCodeSettings.messageSettings(settings, language: languageCode)
        try await asking { client throws(AuthError) in
            try await client.sendPasswordReset(to: email, settings: settings)
        }
    }

    func mailSignInLink(_ email: String, _ settings: ActionCodeSettings) async throws {
        if email.isEmpty { throw NSError(.missingEmail) }
        guard settings.handleCodeInApp else {
            throw NSError(
                .operationNotAllowed,
                message: "Set handleCodeInApp to true: only the app itself can open a sign-in link."
            )
        }
        let settings = ActionCodeSettings.messageSettings(settings, language: languageCode)
        try await asking { client throws(AuthError) in
            try await client.sendSignInLink(to: email, settings: settings)
        }
    }
}
