@testable import AuthCore
@testable import AuthCoreFirebase
import Foundation
import XCTest

/// AuthCore's own codes, and the ways in which a code becomes an error object and is read from one.
final class ErrorBridgeTests: LimitedTestCase {
    func testEachOfAuthCoresOwnCodesIsToldAsTheNearestOfFirebases() {
        let nearest: [AuthCore.AuthErrorCode: AuthCoreFirebase.AuthErrorCode] = [
            .storeUnavailable: .networkError, .outcomeUnknown: .networkError, .overloaded: .networkError,
            .accountMerged: .userTokenExpired, .lastMethod: .operationNotAllowed, .deviceMismatch: .invalidCredential,
            .mergeInProgress: .internalError, .messageNotSent: .internalError,
        ]
        for (own, expected) in nearest {
            let error = NSError(AuthError(own))
            XCTAssertEqual(error.code, expected.rawValue, "\(own)")
            XCTAssertEqual(error.localizedDescription, AuthError(own).message, "what a reader of \(own) learns")
            let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
            XCTAssertEqual(underlying?.code, own.rawValue, "\(own)")
            XCTAssertEqual(underlying?.domain, "AuthCoreErrorDomain", "\(own)")
            XCTAssertEqual(underlying?.localizedDescription, AuthError(own).message, "\(own)")
        }
    }

    func testTheCauseOfOneOfAuthCoresOwnCodesIsBelowIt() {
        struct SenderFailure: Error {}
        let error = NSError(AuthError(.messageNotSent, cause: SenderFailure()))
        let own = error.userInfo[NSUnderlyingErrorKey] as? NSError
        XCTAssertEqual(own?.code, AuthCore.AuthErrorCode.messageNotSent.rawValue, "AuthCore's own error")
        let cause = own?.userInfo[NSUnderlyingErrorKey] as? NSError
        XCTAssertEqual(cause?.domain, (SenderFailure() as NSError).domain, "what the sender threw")
    }

    func testTheTextOfACodeIsItsExplanation() {
        for code in AuthCoreFirebase.AuthErrorCode.all {
            let explanation = AuthCore.AuthErrorCode(rawValue: code.rawValue).explanation
            XCTAssertEqual((code as NSError).localizedDescription, explanation, "the text of \(code)")
        }
    }

    func testACauseIsTheUnderlyingError() {
        let error = NSError(AuthError(.networkError, cause: CocoaError(.fileNoSuchFile)))
        XCTAssertEqual((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain, NSCocoaErrorDomain)
    }

    func testAnErrorOfAnotherDomainIsAnInternalOne() {
        let other = NSError(domain: "other", code: 17008)
        XCTAssertEqual(AuthCoreFirebase.AuthErrorCode(_nsError: other), .internalError)
        XCTAssertEqual(AuthCoreFirebase.AuthErrorCode.invalidEmail.errorCode, 17008)
        #if !canImport(ObjectiveC)
        let bridged = AuthCoreFirebase.AuthErrorCode.invalidEmail._bridgeToObjectiveC()
        XCTAssertEqual(bridged.code, 17008)
        XCTAssertEqual(AuthCoreFirebase.AuthErrorCode._unconditionallyBridgeFromObjectiveC(bridged), .invalidEmail)
        XCTAssertEqual(AuthCoreFirebase.AuthErrorCode._unconditionallyBridgeFromObjectiveC(other), .internalError)
        XCTAssertEqual(AuthCoreFirebase.AuthErrorCode._unconditionallyBridgeFromObjectiveC(nil), .internalError)
        var read: AuthCoreFirebase.AuthErrorCode?
        AuthCoreFirebase.AuthErrorCode._forceBridgeFromObjectiveC(bridged, result: &read)
        XCTAssertEqual(read, .invalidEmail)
        XCTAssertFalse(AuthCoreFirebase.AuthErrorCode._conditionallyBridgeFromObjectiveC(other, result: &read))
        XCTAssertNil(read)
        #endif
    }
}
