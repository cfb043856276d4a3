internal import AuthCore
internal import Foundation

extension Auth {
    func resetPassword(_ code: String, _ newPassword: String) async throws {
        if newPassword.isEmpty { throw NSError.emptyNewPassword }
        try await asking { service, context throws(AuthError) in
            _ = try await service.confirmPasswordReset(code: code, newPassword: newPassword, context: context)
        }
    }

    func inspect(_ code: String) async throws -> ActionCodeInfo {
        ActionCodeInfo(
            try await asking { service, context throws(AuthError) in
                try await service.inspect(code: code, context: context)
            }
        )
    }

    func addressOfPasswordReset(_ code: String) async throws -> String {
        let info = try await inspect(code)
        guard info.operation == .passwordReset else { throw NSError(.invalidActionCode) }
        return info.email
    }

    func apply(_ code: String) async throws {
        try await asking { service, context throws(AuthError) in
            try await service.apply(code: code, context: context)
        }
    }

    func mailPasswordReset(_ email: String, _ settings: ActionCodeSettings?) async throws {
        if email.isEmpty { throw NSError(.missingEmail) }
        let settings = settings?.messageSettings(language: languageCode)
        try await asking { service, context throws(AuthError) in
            try await service.sendPasswordReset(to: email, settings: settings, context: context)
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
        let settings = settings.messageSettings(language: languageCode)
        try await asking { service, context throws(AuthError) in
            try await service.sendSignInLink(to: email, settings: settings, context: context)
        }
    }
}
