extension AuthCredential {
    /// The digits that were sent to a phone number.
    ///
    /// ```swift
    /// let id = try await auth.sendPhoneCode(to: number)
    /// return try await auth.signIn(with: .phone(verificationID: id, code: await digits())).user
    /// ```
    ///
    /// - Parameters:
    ///   - verificationID: The ID that ``AuthClient/sendPhoneCode(to:)`` returned.
    ///   - code: The digits.
    /// - Returns: The credential.
    public static func phone(verificationID: String, code: String) -> AuthCredential {
        AuthCredential(.phone(verificationID: verificationID, code: Secret(code)))
    }
}
