// A program with an asynchronous main, where on Linux the main queue is not the main thread's.
import FirebaseAuth
import FirebaseCore

@main
struct Console {
    @MainActor
    static func main() async throws {
        FirebaseApp.configure()
        let auth = Auth.auth()
        let handle = auth.addStateDidChangeListener { _, user in print("state", user?.email ?? "nobody") }
        // An observer on the main operation queue is waited for by whoever posts.
        let (posted, post) = AsyncStream.makeStream(of: Void.self)
        let observer = NotificationCenter.default.addObserver(forName: .AuthStateDidChange, object: nil, queue: .main) {
            _ in post.yield()
        }
        for await user in auth.authStateChanges {
            guard let user else {
                auth.createUser(withEmail: "ann@example.com", password: "correct horse") { _, error in
                    if let error { print(error) }
                }
                continue
            }
            print("sequence", user.email ?? "nobody")
            break
        }
        for await _ in posted {
            print("notification")
            break
        }
        let id = await withCheckedContinuation { continuation in
            PhoneAuthProvider.provider()
                .verifyPhoneNumber("+15555550111", uiDelegate: nil) { id, _ in continuation.resume(returning: id) }
        }
        print(id == nil ? "no code" : "code")
        auth.removeStateDidChangeListener(handle)
        NotificationCenter.default.removeObserver(observer)
        try auth.signOut()
        print("end")
    }
}
