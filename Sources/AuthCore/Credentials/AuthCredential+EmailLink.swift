extension AuthCredential {
    /// An address and the link, or the bare code, that was mailed to it.
    public static func emailLink(email: String, link: String) -> AuthCredential {
        AuthCredential(.emailLink(email: email, link: Secret(link)))
    }
}
