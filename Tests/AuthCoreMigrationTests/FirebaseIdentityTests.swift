@testable import AuthCore
@testable import AuthCoreMigration
import XCTest

/// What is read of each identity of a user, and which part of it is left out.
final class FirebaseIdentityTests: LimitedTestCase {
    private func read(_ member: String) async throws -> (account: Account?, leftOut: [ImportProblem.Kind]) {
        let world = World()
        let report = try await world.bring(users: [FirebaseSample.user("a", member)])
        return (try await world.accounts().first, report.problems.map(\.kind))
    }

    /// A verifier without signatures, which speaks for these issuers.
    private struct Verifier: CredentialVerifier {
        var provider: ProviderID = "oidc.corp"
        let issuers: Set<String>

        func verify(
            _ credential: AuthCredential.Federated,
            in context: VerificationContext
        ) async throws -> ProviderAssertion {
            throw VerificationFailure(.rejected)
        }
    }

    func testTheIssuerOfAnIdentityIsTheOnlyOneOfTheServicesVerifierUnlessTheOptionsNameOne() async throws {
        let (corp, tenant) = ("https://login.corp.example", "https://login.example/{tenantid}")
        let cases: [(issuers: Set<String>, named: String?, issuer: String)] = [
            ([corp], nil, corp), ([corp], "https://old.example", "https://old.example"), ([tenant], nil, "oidc.corp"),
            ([corp, "https://two.example"], nil, "oidc.corp"), ([], nil, "oidc.corp"),
        ]
        for (issuers, named, issuer) in cases {
            let world = World(providers: AuthProviders([Verifier(issuers: issuers)]))
            var options = ImportOptions()
            options.issuers["oidc.corp"] = named
            let user = FirebaseSample.user("a", FirebaseSample.identity("oidc.corp", "7"))
            _ = try await world.bring(users: [user], options: options)
            let found = try await world.accounts().first?.identities.map(\.key.issuer.description)
            XCTAssertEqual(found, [issuer], "of \(issuers.sorted()), the options name \(named ?? "none")")
        }
    }

    /// A server of GitHub's software gives its people numbers of its own.
    func testAPersonOfGitHubComIsNoPersonOfAnotherGitHub() async throws {
        let own = Verifier(provider: .gitHub, issuers: ["https://github.corp.example"])
        let world = World(providers: AuthProviders([own]))
        _ = try await world.bring(users: [FirebaseSample.user("ann", FirebaseSample.identity(.gitHub, "7"))])
        let found = try await world.accounts().first?.identities.map(\.key.issuer.description)
        XCTAssertEqual(found, ["github.com"], "the issuer of an identity of Firebase's GitHub")
    }

    func testTheTextOfAnIdentityThatIsTooLongIsLeftOutAlone() async throws {
        let texts = ["displayName": "Ann", "photoUrl": "https://example.com/ann.jpg", "screenName": "annie"]
        let long = String(repeating: "x", count: 2049)
        for name in texts.keys.sorted() {
            let members = texts.merging([name: long]) { _, new in new }.map { "\"\($0)\":\"\($1)\"" }
            let entry = (["\"providerId\":\"github.com\",\"rawId\":\"7\""] + members).joined(separator: ",")
            let (account, leftOut) = try await read("\"providerUserInfo\":[{\(entry)}]")
            XCTAssertEqual(leftOut, [.leftOut("providerUserInfo[0].\(name)")], "what is left out")
            let identity = account?.identities.first
            let kept = [
                "displayName": identity?.displayName, "photoUrl": identity?.photoURL, "screenName": identity?.username,
            ]
            let rest = texts.filter { $0.key != name }
            XCTAssertEqual(kept.compactMapValues(\.self), rest, "what is kept beside a long \(name)")
        }
    }

    func testAnAddressOfAnIdentityThatIsNoneIsLeftOutAlone() async throws {
        let (account, leftOut) = try await read(
            #""providerUserInfo":[{"providerId":"github.com","rawId":"7","email":"none","displayName":"Ann"}]"#
        )
        XCTAssertEqual(leftOut, [.leftOut("providerUserInfo[0].email")], "what is left out")
        XCTAssertEqual(account?.identities.map(\.email), [nil], "the address of the identity")
        XCTAssertEqual(account?.identities.map(\.displayName), ["Ann"], "the name of the identity")
    }

    func testASubjectMayHaveABlankAndNoControlCharacter() async throws {
        for (subject, isRead) in [("1 2", true), ("1\u{7F}2", false), (#"1\u001f2"#, false)] {
            let (account, leftOut) = try await read(
                #""email":"a@example.com","providerUserInfo":[{"providerId":"github.com","rawId":"\#(subject)"}]"#
            )
            XCTAssertEqual(leftOut, isRead ? [] : [.leftOut("providerUserInfo[0]")], "what is left out: \(subject)")
            let subjects = account?.identities.map(\.key.subject.text)
            XCTAssertEqual(subjects, isRead ? [subject] : [], "the subjects that are read")
        }
    }
}
