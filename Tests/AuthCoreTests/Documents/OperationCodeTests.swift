import XCTest

@testable import AuthCore

/// The codes under which refusals are recorded are in the article for operators, so none changes unseen.
final class OperationCodeTests: LimitedTestCase {
    private static let operations: [any AuthCore.Operation.Type] = [
        AbortMerge.self, AdministerAccount.self, ApplyEmailAction.self, BeginAuthorization.self,
        BeginMerge.self, CancelFactorRecovery.self, ChangeEmail.self, ChangeFactors.self,
        ChangePassword.self, ClaimAndLink.self, CompleteMerge.self, CreateSeparateAccount.self,
        DeleteAccount.self, EnrollFactor.self, ExpireAccount.self, FetchSignInMethods.self,
        FinishMerge.self, ImportAccount.self, InspectAction.self, KeepSeed.self,
        LinkMethod.self, ListSessions.self, MailSignInMethods.self, MakeNonce.self,
        NotePreparation.self, Reauthenticate.self, RecoverFromLostFactors.self, RedeemAuthorization.self,
        RefreshSession.self, Reload.self, RemapSubject.self, ReplaceMethod.self,
        ReportUnauthorizedChange.self, RequestChallengeCode.self, RequestEmailChange.self,
        RequestEmailVerification.self,
        RequestEnrollmentCode.self, RequestPasswordReset.self, RequestPhoneCode.self, RequestSignInLink.self,
        ResetPassword.self, RevokeSessions.self, SignIn.self, SignInAndLink.self,
        SignOut.self, SignUp.self, UndoMerge.self, Unlink.self,
        UpdateProfile.self,
    ]

    /// The checks before a rule that have no rule of their name.
    private static let checks = [
        "deliverMessage", "resolveChallenge", "resolveConflict", "sendMessage", "signInAnonymously", "verify",
        "verifyIDToken",
    ]

    func testTheArticleForOperatorsHasTheCodesOfAllOperations() throws {
        let rules = Self.operations.map { AuditEntry.Operation(named: "\($0)").rawValue }
        let lines = try PackageFiles.lines("Sources/AuthCore/AuthCore.docc/Events.md")
        let first = try XCTUnwrap(lines.firstIndex { $0.hasSuffix("These are the names:") })
        let listed = lines[(first + 1)...].prefix { !$0.isEmpty }.flatMap { line in
            line.split(separator: " ").map { $0.filter(\.isLetter) }
        }
        XCTAssertEqual(listed, (rules + Self.checks).sorted(), "the names in the article")
    }
}
