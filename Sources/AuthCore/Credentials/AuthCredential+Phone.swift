extension AuthCredential {
    /// The id that `sendPhoneCode` returned and the digits that arrived.
    public static func phone(verificationID: String, code: String) -> AuthCredential {
        AuthCredential(.phone(verificationID: verificationID, code: Secret(code)))
    }
}
