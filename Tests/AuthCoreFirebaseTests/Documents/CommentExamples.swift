import AuthCore
import AuthCoreFirebase
import AuthCoreFirebaseApp
import AuthCoreTesting

/// The examples in the comments of AuthCoreFirebase, compiled.
enum CommentExamples {
    static func setUp(_ outbox: Message.Outbox) {
        FirebaseApp.configure()
        FirebaseApp.app()?.useAuth(AuthConfiguration(policy: .firebase, providers: .simulated, messageSender: outbox))
    }

    static func setUpProtected() {
        FirebaseApp.configure(policy: .firebaseProtected)
    }
}
