// swift-format-ignore-file
// The GitHub page's flow, from the button to the provider's own token.
import FirebaseAuth

public final class GitHubScreen {
    public private(set) var log: [String] = []
    var provider = OAuthProvider(providerID: "github.com")

    public init() {
        provider.customParameters = ["allow_signup": "false", "client_id": "somebody-else"]
        provider.scopes = ["user:email"]
    }

    public func signIn(existing: AuthCredential, done: @escaping () -> Void) {
        provider.getCredentialWith(nil) { credential, error in
            if let error = error {
                self.log.append("no credential: \((error as NSError).code)")
                return done()
            }
            guard let credential = credential else { return done() }
            Auth.auth().signIn(with: credential) { authResult, error in
                if let error = error as NSError? {
                    self.log.append("error \(error.code)")
                    guard error.code == AuthErrorCode.accountExistsWithDifferentCredential.rawValue,
                          let email = error.userInfo[AuthErrorUserInfoEmailKey] as? String,
                          let updatedCredential = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential
                    else { return done() }
                    self.log.append("\(email) \(updatedCredential.provider)")
                    // Sign in with the provider that the person has, and link the one that arrived.
                    Auth.auth().signIn(with: existing) { authResult, error in
                        self.log.append("new user: \(authResult!.additionalUserInfo!.isNewUser)")
                        authResult?.user.link(with: updatedCredential) { authResult, error in
                            self.read(authResult, error)
                            self.reauthenticate(done: done)
                        }
                    }
                    return
                }
                self.read(authResult, error)
                done()
            }
        }
    }

    func read(_ authResult: AuthDataResult?, _ error: Error?) {
        guard let authResult = authResult else { return log.append("no result: \(error!)") }
        log.append("login \(authResult.additionalUserInfo?.profile?["login"] as? String ?? "none")")
        log.append("username \(authResult.additionalUserInfo?.username ?? "none")")
        if let oauthCredential = authResult.credential, let accessToken = oauthCredential.accessToken {
            log.append(accessToken.isEmpty ? "no token" : "token")
        }
    }

    func reauthenticate(done: @escaping () -> Void) {
        provider.getCredentialWith(nil) { credential, error in
            Auth.auth().currentUser!.reauthenticate(with: credential!) { authResult, error in
                self.log.append(error == nil ? "reauthenticated" : "not reauthenticated \(error!)")
                self.read(authResult, error)
                done()
            }
        }
    }
}
