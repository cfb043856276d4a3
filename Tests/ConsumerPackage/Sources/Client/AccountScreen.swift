// swift-format-ignore-file
// An app's code in the manner of the documentation: completion handlers, one import, no word of AuthCore.
import FirebaseAuth

public final class AccountScreen {
    public private(set) var log: [String] = []
    public var prompts: [String: () -> String] = [:]
    public var pendingCredential: AuthCredential?
    var isMFAEnabled = true

    public init() {}

    func showMessagePrompt(_ message: String) { log.append(message) }

    func showTextInputPrompt(withMessage message: String, completionBlock: @escaping (Bool, String?) -> Void) {
        completionBlock(true, prompts[message]?())
    }

    /// Signs in with any credential; asks for a second factor where one is owed.
    public func signIn(with credential: AuthCredential, done: @escaping () -> Void) {
        Auth.auth().signIn(with: credential) { authResult, error in
            if let error = error {
                let authError = error as NSError
                if self.isMFAEnabled, authError.code == AuthErrorCode.secondFactorRequired.rawValue {
                    let resolver = authError
                        .userInfo[AuthErrorUserInfoMultiFactorResolverKey] as! MultiFactorResolver
                    var displayNameString = ""
                    for tmpFactorInfo in resolver.hints {
                        displayNameString += tmpFactorInfo.displayName ?? ""
                        displayNameString += " "
                    }
                    self.showMessagePrompt("factors: \(displayNameString)")
                    self.showTextInputPrompt(withMessage: "Which factor?") { userPressedOK, displayName in
                        var selectedHint: PhoneMultiFactorInfo?
                        for tmpFactorInfo in resolver.hints {
                            if displayName == tmpFactorInfo.displayName {
                                selectedHint = tmpFactorInfo as? PhoneMultiFactorInfo
                            }
                        }
                        PhoneAuthProvider.provider()
                            .verifyPhoneNumber(with: selectedHint!, uiDelegate: nil,
                                               multiFactorSession: resolver.session) { verificationID, error in
                                if error != nil {
                                    self.showMessagePrompt("no code: \(error!.localizedDescription)")
                                    done()
                                } else {
                                    self.showTextInputPrompt(withMessage: "Code?") { userPressedOK, verificationCode in
                                        let credential: PhoneAuthCredential? = PhoneAuthProvider.provider()
                                            .credential(withVerificationID: verificationID!,
                                                        verificationCode: verificationCode!)
                                        let assertion: MultiFactorAssertion? = PhoneMultiFactorGenerator
                                            .assertion(with: credential!)
                                        resolver.resolveSignIn(with: assertion!) { authResult, error in
                                            if error != nil {
                                                self.showMessagePrompt("refused: \(error!.localizedDescription)")
                                            } else {
                                                self.showMessagePrompt("factor shown")
                                            }
                                            done()
                                        }
                                    }
                                }
                            }
                    }
                } else {
                    self.showMessagePrompt("error \(authError.code)")
                    self.pendingCredential = authError
                        .userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential
                    done()
                }
                return
            }
            self.showMessagePrompt("signed in")
            done()
        }
    }

    public func enrollPhone(_ phoneNumber: String, displayName: String, done: @escaping () -> Void) {
        let user = Auth.auth().currentUser
        user?.multiFactor.getSessionWithCompletion { session, error in
            PhoneAuthProvider.provider().verifyPhoneNumber(
                phoneNumber,
                uiDelegate: nil,
                multiFactorSession: session
            ) { verificationId, error in
                let credential = PhoneAuthProvider.provider().credential(
                    withVerificationID: verificationId!,
                    verificationCode: self.prompts["Code?"]!()
                )
                let assertion = PhoneMultiFactorGenerator.assertion(with: credential)
                user?.multiFactor.enroll(with: assertion, displayName: displayName) { error in
                    self.showMessagePrompt(error == nil ? "enrolled" : "not enrolled")
                    done()
                }
            }
        }
    }

    /// Links a credential; one that is another account's leads there.
    public func link(_ credential: AuthCredential, done: @escaping () -> Void) {
        let user = Auth.auth().currentUser!
        user.link(with: credential) { authResult, error in
            if let error = error as NSError? {
                guard error.code == AuthErrorCode.credentialAlreadyInUse.rawValue,
                      let updated = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential
                else {
                    self.showMessagePrompt("not linked: \(error.code)")
                    return done()
                }
                let prevUser = Auth.auth().currentUser
                Auth.auth().signIn(with: updated) { authResult, error in
                    if let error = error {
                        self.showMessagePrompt(error.localizedDescription)
                        return done()
                    }
                    // Whatever belonged to the first account can be moved now.
                    self.showMessagePrompt("moved to \(prevUser?.uid == authResult?.user.uid ? "the same" : "another") account")
                    done()
                }
                return
            }
            self.showMessagePrompt("linked \(authResult!.user.providerData.map { $0.providerID })")
            done()
        }
    }

    public func unlink(_ providerID: String, done: @escaping () -> Void) {
        Auth.auth().currentUser?.unlink(fromProvider: providerID) { user, error in
            self.showMessagePrompt(error == nil ? "unlinked" : "not unlinked: \((error! as NSError).code)")
            done()
        }
    }

    public func signOut() {
        let firebaseAuth = Auth.auth()
        do {
            try firebaseAuth.signOut()
            showMessagePrompt("signed out")
        } catch let signOutError as NSError {
            print("Error signing out: %@", signOutError)
        }
    }
}
