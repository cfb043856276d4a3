import Client
import FirebaseAuth
import FirebaseCore
import XCTest

/// What becomes of a credential whose address has an account already.
@MainActor
final class PendingCredentialTests: XCTestCase {
    func testWhatOnePersonTriedIsNotLinkedToTheAccountOfAnother() async throws {
        let stage = Stage()
        try await Auth.auth().createUser(withEmail: "ben@example.com", password: "another horse")
        let google = GoogleAuthProvider.credential(withIDToken: stage.googleToken(), accessToken: "")
        try await Auth.auth().signIn(with: google)
        try Auth.auth().signOut()

        let model = SignInModel()
        await model.signIn(with: try await OAuthProvider(providerID: "github.com").credential(with: nil))
        XCTAssertEqual(model.step, .accountExists(email: "ann@example.com"))
        await model.signIn(email: "ben@example.com", password: "another horse")
        let providers = Auth.auth().currentUser?.providerData.map(\.providerID)
        XCTAssertEqual(providers, ["password"], "the providers of Ben, after Ann tried GitHub")
    }

    func testWhatWasTriedIsLinkedAfterTheSecondFactor() async throws {
        let stage = Stage()
        let google = GoogleAuthProvider.credential(withIDToken: stage.googleToken(), accessToken: "")
        let user = try await Auth.auth().signIn(with: google).user
        let session = try await user.multiFactor.session()
        let id = try await PhoneAuthProvider.provider().verifyPhoneNumber("+15555550111", multiFactorSession: session)
        let number = PhoneAuthProvider.provider().credential(withVerificationID: id, verificationCode: stage.newestCode)
        try await user.multiFactor.enroll(with: PhoneMultiFactorGenerator.assertion(with: number), displayName: nil)
        try Auth.auth().signOut()

        let model = SignInModel()
        await model.signIn(with: try await OAuthProvider(providerID: "github.com").credential(with: nil))
        XCTAssertEqual(model.step, .accountExists(email: "ann@example.com"))
        let again = GoogleAuthProvider.credential(withIDToken: stage.googleToken(), accessToken: "")
        await model.signIn(with: again)
        await model.enter(code: stage.newestCode)
        XCTAssertEqual(model.step, .signedIn(user.uid))
        let providers = Auth.auth().currentUser?.providerData.map(\.providerID).sorted()
        XCTAssertEqual(providers, ["github.com", "google.com"], "the providers after Ann tried GitHub")
    }
}
