#if OpenSSL && os(Linux)
internal import COpenSSL

extension PublicKey {
    /// Whether the signature is this key's over the message.
    func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        guard fits(algorithm), hasLength(signature) else { return false }
        // What libcrypto notes about a wrong key or signature must not show at the next call on this thread.
        defer { ERR_clear_error() }
        guard let key = unsafe parsed() else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }

        var padding: OpaquePointer?
        let digest = unsafe algorithm == .edDSA ? nil : algorithm.digest.function
        guard unsafe EVP_DigestVerifyInit(context, &padding, digest, nil, key) == 1 else { return false }
        if algorithm == .ps256 {
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(padding, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        let signature = encoded(signature)
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The key as libcrypto holds it; nil for a point that is not on its curve.
    private func parsed() -> OpaquePointer? {
        let encoded = subjectPublicKeyInfo
        return unsafe encoded.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, bytes.count)
        }
    }
}

extension PrivateKey {
    /// Signs the message by ES256; nil if the key is not one of P-256.
    func signature(of message: [UInt8]) -> [UInt8]? {
        defer { ERR_clear_error() }
        let key = unsafe der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let key = unsafe key else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, unsafe EVP_PKEY_get_bits(key) == 256,
            let context = unsafe EVP_MD_CTX_new()
        else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 128)
        var count = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { return nil }
        return DER.halves(of: Array(signature.prefix(count)), byteCount: 32)
    }
}

extension DigestAlgorithm {
    fileprivate var function: OpaquePointer? {
        switch self {
        case .sha256: unsafe EVP_sha256()
        case .sha384: unsafe EVP_sha384()
        case .sha512: unsafe EVP_sha512()
        }
    }

    /// Returns the digest of the message.
    func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard unsafe EVP_Digest(message, message.count, &digest, &count, function, nil) == 1 else { return [] }
        return Array(digest.prefix(Int(count)))
    }
}
#endif
