@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// Which of a person's numbers a code goes to.
final class FactorTextTests: LimitedTestCase {
    private static let phones = [("my phone", "+15555550111"), ("other phone", "+15555550112")]

    /// The challenge of a person with two numbers.
    private func challenge(in world: World) async throws -> MultiFactorResolver {
        let user = try await world.personWithFactor()
        try await world.enroll("+15555550112", named: "other phone", for: user)
        try world.auth.signOut()
        let error = await failure {
            try await world.auth.signIn(withEmail: "ann@example.com", password: "correct horse")
        }
        return try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
    }

    /// The hint with this name.
    private func hint(_ name: String, in resolver: MultiFactorResolver) throws -> PhoneMultiFactorInfo {
        try XCTUnwrap(resolver.hints.first { $0.displayName == name } as? PhoneMultiFactorInfo)
    }

    func testACodeGoesToTheNumberThatWasChosenLastAlsoWhereOnlyANumberIsNamed() async throws {
        let world = World()
        let resolver = try await challenge(in: world)
        let provider = PhoneAuthProvider.provider(auth: world.auth)
        for (name, number) in Self.phones {
            let hint = try hint(name, in: resolver)
            let sent = world.outbox.messages.count
            _ = try await provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
            _ = try await provider.verifyPhoneNumber(hint.phoneNumber, multiFactorSession: resolver.session)
            let recipients = world.outbox.messages.dropFirst(sent).map(\.recipient)
            let wanted = PhoneNumber(number).map { Message.Recipient.phone($0) }
            XCTAssertEqual(recipients, [wanted, wanted], "where the code for \(name) goes, and another after it")
        }
    }

    func testTwoCodesThatAreAskedForAtOnceGoToTheirNumbers() async throws {
        // Which of two tasks comes first is chance.
        for round in 0..<20 {
            let world = World()
            let resolver = try await challenge(in: world)
            let provider = PhoneAuthProvider.provider(auth: world.auth)
            let ids = Mutex<[String: String]>([:])
            let sent = Self.phones.map { expectation(description: "a code for \($0.0)") }
            for ((name, _), isSent) in zip(Self.phones, sent) {
                let hint = try hint(name, in: resolver)
                provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session) { id, error in
                    XCTAssertNil(error, "the error of a code for \(name)")
                    ids.withLock { $0[name] = id }
                    isSent.fulfill()
                }
            }
            await fulfillment(of: sent, timeout: 10)
            let recipients = world.outbox.messages.suffix(2).map(\.recipient)
            let wanted = Self.phones.compactMap { PhoneNumber($1).map { Message.Recipient.phone($0) } }
            XCTAssertEqual(Set(recipients), Set(wanted), "where the two codes go")
            let (name, number) = Self.phones[round % 2]
            let recipient = PhoneNumber(number).map { Message.Recipient.phone($0) }
            let text = world.outbox.messages.suffix(2).first { $0.recipient == recipient }
            let credential = provider.credential(
                withVerificationID: try XCTUnwrap(ids.withLock { $0[name] }),
                verificationCode: try XCTUnwrap(text).code
            )
            _ = try await resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: credential))
            XCTAssertNotNil(world.auth.currentUser, "who signs in by \(name)")
        }
    }
}
