#if !(OpenSSL && os(Linux)) && !canImport(CryptoKit)
extension PublicKey {
    /// Without a library no signature is valid; the verifiers that need one are unavailable then.
    func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool { false }
}

extension PrivateKey {
    /// Without a library nothing can be signed.
    func signature(of message: [UInt8]) -> [UInt8]? { nil }
}

extension DigestAlgorithm {
    /// Without a library nothing has a digest.
    func hash(_ message: [UInt8]) -> [UInt8] { [] }
}
#endif
