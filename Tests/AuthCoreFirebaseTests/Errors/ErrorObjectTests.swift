import struct AuthCore.AuthPolicy
import AuthCoreFirebase
import Foundation
import XCTest

/// Errors are objects in FirebaseAuth's domain, whatever way a client looks at them.
final class ErrorObjectTests: LimitedTestCase {
    private let world = World()

    private func error(_ code: AuthErrorCode = .invalidEmail) async -> (any Error)? {
        do {
            try await world.auth.createUser(withEmail: "no address", password: "correct horse")
            return nil
        } catch {
            return error
        }
    }

    func testThrownErrorsAreErrorObjects() async throws {
        let caught = await error()
        let error = try XCTUnwrap(caught)
        XCTAssertEqual((error as NSError).domain, "FIRAuthErrorDomain")
        XCTAssertEqual((error as NSError).code, AuthErrorCode.invalidEmail.rawValue)
        XCTAssertEqual((error as NSError).userInfo[AuthErrorUserInfoNameKey] as? String, "ERROR_INVALID_EMAIL")
        XCTAssertFalse(error.localizedDescription.isEmpty)
        XCTAssertFalse(error.localizedDescription.contains("password"), error.localizedDescription)
        XCTAssertNil((error as NSError).userInfo[NSLocalizedFailureReasonErrorKey], "a reason of another error")
        XCTAssertTrue(type(of: error) is NSError.Type)
        XCTAssertEqual(error._code, 17008)
    }

    func testCodesAreReadInEveryWayThatClientsHave() async throws {
        let caught = await error()
        let error = try XCTUnwrap(caught)
        XCTAssertEqual(AuthErrorCode(rawValue: (error as NSError).code), .invalidEmail)
        XCTAssertEqual(AuthErrorCode.Code(rawValue: error._code)?.code, .invalidEmail)
        XCTAssertEqual(AuthErrorCode(_nsError: error as NSError).code, .invalidEmail)
        XCTAssertEqual(AuthErrorCode(_bridgedNSError: error as NSError), .invalidEmail)
        #if !canImport(ObjectiveC)
        XCTAssertEqual(error as? AuthErrorCode, .invalidEmail)
        #endif
        XCTAssertNil(AuthErrorCode(_bridgedNSError: NSError(domain: "other", code: 17008)))
    }

    func testCatchClausesMatch() async {
        do {
            try await world.auth.createUser(withEmail: "", password: "correct horse")
            XCTFail("there is no address")
        } catch let error as NSError where error.code == AuthErrorCode.missingEmail.rawValue {
            // As it should be.
        } catch {
            XCTFail("\(error)")
        }
        #if !canImport(ObjectiveC)
        do {
            try await world.auth.createUser(withEmail: "ann@example.com", password: "")
            XCTFail("there is no password")
        } catch AuthErrorCode.weakPassword {
            // As it should be.
        } catch {
            XCTFail("\(error)")
        }
        #endif
    }

    func testWeakPasswordsSayWhy() async throws {
        for password in ["", "short"] {
            let error = await failure {
                try await self.world.auth.createUser(withEmail: "a@example.com", password: password)
            }
            XCTAssertEqual(error?.code, AuthErrorCode.weakPassword.rawValue)
            let reason = error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
            let wanted = password.isEmpty ? "Missing password" : "The password must have at least 6 characters."
            XCTAssertEqual(reason, wanted, "what the app may show")
        }
        let guest = try await world.auth.signInAnonymously().user
        let linked = await failure {
            try await guest.link(with: EmailAuthProvider.credential(withEmail: "a@example.com", password: ""))
        }
        let reason = linked?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        XCTAssertEqual(reason, "Missing password", "what the app may show of a password to link")
        let short = await failure {
            try await self.world.auth.createUser(withEmail: "a@example.com", password: "12345")
        }
        XCTAssertEqual(short?.localizedDescription, "The password must have at least 6 characters.")
        let user = try await world.auth.createUser(withEmail: "a@example.com", password: "correct horse").user
        let change = await failure { try await user.updatePassword(to: "12345") }
        XCTAssertEqual(change?.localizedDescription, short?.localizedDescription, "a change to a short password")
    }

    func testEveryCodeHasItsNumberNameAndText() {
        // In the original, too, these have another name than their case.
        let others: [AuthErrorCode: String] = [
            .networkError: "ERROR_NETWORK_REQUEST_FAILED", .missingAndroidPackageName: "ERROR_MISSING_ANDROID_PKG_NAME",
            .missingAppCredential: "MISSING_APP_CREDENTIAL", .invalidAppCredential: "INVALID_APP_CREDENTIAL",
            .appVerificationUserInteractionFailure: "ERROR_APP_VERIFICATION_FAILED",
            .webSignInUserInteractionFailure: "ERROR_WEB_USER_INTERACTION_FAILURE",
            .blockingCloudFunctionError: "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR",
        ]
        XCTAssertEqual(AuthErrorCode.all.count, 91)
        for code in AuthErrorCode.all {
            let error = code as NSError
            XCTAssertEqual(error.domain, AuthErrors.domain)
            XCTAssertEqual(error.code, code.rawValue)
            let name = error.userInfo[AuthErrors.userInfoNameKey] as? String ?? ""
            if let other = others[code] {
                XCTAssertEqual(name, other, "the name of \(code.rawValue)")
            } else {
                let letters = name.replacing("_", with: "").lowercased()
                XCTAssertEqual(letters, "error\(code)".lowercased(), "the name of \(code.rawValue)")
            }
            XCTAssertFalse(error.localizedDescription.isEmpty)
        }
    }

    func testTheKeysAreTheOriginals() {
        XCTAssertEqual(AuthErrorDomain, "FIRAuthErrorDomain")
        XCTAssertEqual(AuthErrorUserInfoNameKey, "FIRAuthErrorUserInfoNameKey", "the key of a code's name")
        XCTAssertEqual(AuthErrorUserInfoEmailKey, "FIRAuthErrorUserInfoEmailKey")
        XCTAssertEqual(AuthErrorUserInfoUpdatedCredentialKey, "FIRAuthErrorUserInfoUpdatedCredentialKey")
        XCTAssertEqual(AuthErrorUserInfoMultiFactorResolverKey, "FIRAuthErrorUserInfoMultiFactorResolverKey")
    }

    func testAPasswordThatIsTooLongIsNotSaidToBeTooShort() async throws {
        let error = await failure {
            try await self.world.auth.createUser(
                withEmail: "a@example.com",
                password: String(repeating: "correct horse", count: 400)
            )
        }
        XCTAssertEqual(error?.code, AuthErrorCode.weakPassword.rawValue, "a password of 5200 bytes")
        let text = try XCTUnwrap(error?.localizedDescription)
        XCTAssertFalse(text.contains("at least"), "what the app shows of a password that is too long: \(text)")
    }

    func testAWeakPasswordNamesNoLengthThatIsNotEnough() async throws {
        var policy = AuthPolicy.firebase
        policy.passwordRule.minimumLengthAlone = 15
        let world = World(policy)
        let error = await failure {
            try await world.auth.createUser(withEmail: "a@example.com", password: "fourteen chars")
        }
        XCTAssertEqual(error?.code, AuthErrorCode.weakPassword.rawValue)
        let text = try XCTUnwrap(error?.localizedDescription)
        XCTAssertFalse(text.contains("6 characters"), text)
    }
}
