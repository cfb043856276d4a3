// What `dump` and every reflecting logger find: nothing that lets anybody in.

extension AuthCredential: CustomReflectable {
    /// A mirror that shows the provider only.
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
    /// A mirror that shows whose handle it is.
    public var customMirror: Mirror { Mirror(self, children: ["uid": uid], ancestorRepresentation: .suppressed) }
}

extension MultiFactorAssertion: CustomReflectable {
    /// A mirror that shows the kind of factor only.
    public var customMirror: Mirror {
        Mirror(self, children: ["factorID": factorID], ancestorRepresentation: .suppressed)
    }
}

extension FederatedSignInAnswer: CustomStringConvertible, CustomReflectable {
    /// Nothing of the tokens.
    public var description: String { "FederatedSignInAnswer" }

    /// A mirror with nothing in it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
