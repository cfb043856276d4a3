@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeSideTests: MergeTestCase {
    private func merge(_ source: MergeSide, _ target: MergeSide) async throws -> MergeResult {
        try await service.client(context).merge(source, into: target)
    }

    func testBothSidesMustBeProved() async throws {
        try await signIn(.gitHub)
        try await signUp("ben@example.com")
        let wrong = AuthCredential.password(email: "ben@example.com", password: "battery staple")
        try await refusal(.invalidCredential, .credentialIsWrong) { try await merge(side(.gitHub), side(wrong)) }
        try await refusal(.invalidCredential, .credentialIsWrong) { try await merge(side(wrong), side(.gitHub)) }
        try await refusal(.invalidCredential, .credentialOpensNothing) {
            try await merge(side(.facebook, .eve), passwordSide("ben@example.com"))
        }
        try await refusal(.invalidCredential) {
            try await merge(side(.anonymous), passwordSide("ben@example.com"))
        }
    }

    func testAnUnknownAddressLooksLikeAWrongPassword() async throws {
        try await signIn(.gitHub)
        let error = try await refusal(.invalidCredential, .credentialIsWrong) {
            try await merge(side(.gitHub), passwordSide("nobody@example.com"))
        }
        XCTAssertEqual(error.reasons, [.credentialIsWrong])
    }

    func testTheSidesMustBeTwoAccounts() async throws {
        try await signUp("ben@example.com", linking: credential(.google, .ben))
        try await refusal(.mergeNotPossible, .sidesAreTheSame) {
            try await merge(side(.google, .ben), passwordSide("ben@example.com"))
        }
    }

    func testASessionStandsForNobodyWhoHasAMethod() async throws {
        let source = try await signIn(.gitHub)
        try await signUp("ben@example.com")
        try await refusal(.requiresRecentLogin, .sessionIsNoProof) {
            try await merge(.anonymous(source), passwordSide("ben@example.com"))
        }
    }

    func testADisabledSideIsRefused() async throws {
        let source = try await signIn(.gitHub)
        let target = try await signUp("ben@example.com")
        for id in [source.account.id, target.account.id] {
            _ = try await service.setDisabled(true, account: id)
            try await refusal(.userDisabled, .accountIsDisabled) {
                try await merge(side(.gitHub), passwordSide("ben@example.com"))
            }
            _ = try await service.setDisabled(false, account: id)
        }
    }

    func testAnOldProofIsNotEnough() async throws {
        try await signIn(.gitHub)
        try await signUp("ben@example.com")
        let old = try await side(.gitHub)
        clock.advance(by: 301)
        try await refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await merge(old, passwordSide("ben@example.com"))
        }
    }

    func testAMethodYoungerThanTheRestHasToWait() async throws {
        try await signIn(.gitHub)
        let target = try await signUp("ben@example.com")
        clock.advance(by: 200)
        try await target.link(with: credential(.facebook, .ben))
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await merge(side(.gitHub), side(.facebook, .ben))
        }
        clock.advance(by: 7 * 86400)
        _ = try await merge(side(.gitHub), side(.facebook, .ben))
    }

    func testASuspendedOrSwitchedOffMethodProvesNothing() async throws {
        policy.disabledProviders = [.facebook]
        try await signIn(.gitHub)
        try await refusal(.operationNotAllowed) { try await merge(side(.gitHub), side(.facebook, .ben)) }
    }

    func testARefusedMergeUsesNoCodeUp() async throws {
        let number = "+15550001234"
        _ = try await service.client(context).signIn(with: digits(to: number))
        try await signUp("ben@example.com")
        let proof = try await side(digits(to: number))
        let wrong = AuthCredential.password(email: "ben@example.com", password: "battery staple")
        try await refusal(.invalidCredential) { try await merge(proof, side(wrong)) }
        _ = try await merge(proof, passwordSide("ben@example.com"))
        try await refusal(.invalidVerificationID, "one code merges once") {
            try await merge(proof, passwordSide("ben@example.com"))
        }
    }

    func testACodeOfAnotherSeatProvesNothing() async throws {
        let number = "+15550001234"
        _ = try await service.client(context).signIn(with: digits(to: number))
        try await signUp("ben@example.com")
        let proof = try await side(digits(to: number))
        try await refusal(.seatMismatch) {
            try await service.client(RequestContext(seat: "elsewhere")).merge(
                proof,
                into: passwordSide("ben@example.com")
            )
        }
    }

    private func refusal(_ code: AuthErrorCode, _ what: String, _ act: () async throws -> some Any) async throws {
        try await refusal(code, nil, what, act)
    }
}
