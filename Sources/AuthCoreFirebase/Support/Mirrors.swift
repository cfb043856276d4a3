// What `dump` and loggers that use reflection find: no secrets.

extension AuthCredential: CustomReflectable {
    /// A mirror that contains only the provider.
    public var customMirror: Mirror {
        Mirror(self, children: ["provider": provider], ancestorRepresentation: .suppressed)
    }
}

extension AuthTokenResult: CustomReflectable {
    /// A mirror without the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["expirationDate": expirationDate], ancestorRepresentation: .suppressed)
    }
}

extension User: CustomReflectable {
    /// A mirror that contains only the user's ID.
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid], ancestorRepresentation: .suppressed) }
}

extension MultiFactorAssertion: CustomReflectable {
    /// A mirror that contains only the kind of factor.
    public var customMirror: Mirror {
        Mirror(self, children: ["factorID": factorID], ancestorRepresentation: .suppressed)
    }
}

extension FederatedSignInAnswer: CustomStringConvertible, CustomReflectable {
    /// The name of the type, without the tokens.
    public var description: String { "FederatedSignInAnswer" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
