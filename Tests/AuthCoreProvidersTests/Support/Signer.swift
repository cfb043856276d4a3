#if OpenSSL
import AuthCoreCrypto
import AuthCore
import COpenSSL
import Foundation

@testable import AuthCoreProviders

/// Signs tokens as a provider does.
struct Signer {
    var key = TestKey.rsa
    var algorithm = SignatureAlgorithm.rs256
    /// The key's name; nil for a token and a key without one.
    var keyID: String? = "1"
    /// The length of the salt in a signature of PS256.
    var saltLength = RSA_PSS_SALTLEN_DIGEST

    /// The public key, as a provider publishes it.
    var webKey: ClaimValue { webKey() }

    func webKey(_ more: [String: ClaimValue] = [:]) -> ClaimValue {
        var members = more
        if let keyID, more["kid"] == nil { members["kid"] = .string(keyID) }
        return key.webKey(members)
    }

    /// Signs the claims.
    func token(_ claims: [String: ClaimValue], header more: [String: ClaimValue] = [:]) -> String {
        var header: [String: ClaimValue] = ["alg": .string(algorithm.rawValue)]
        if let keyID { header["kid"] = .string(keyID) }
        return token(
            header: ClaimValue.object(header.merging(more) { _, new in new }).json(),
            payload: ClaimValue.object(claims).json()
        )
    }

    /// Signs these bytes, whatever they are.
    func token(header: [UInt8], payload: [UInt8]) -> String {
        let input = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        return input + "." + Base64URL.encode(signature(of: Array(input.utf8)))
    }

    func signature(of message: [UInt8]) -> [UInt8] {
        let der = Array(Data(base64Encoded: key.privateKey) ?? Data())
        let key = unsafe der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        let context = unsafe EVP_MD_CTX_new()
        defer {
            unsafe EVP_MD_CTX_free(context)
            unsafe EVP_PKEY_free(key)
        }
        var padding: OpaquePointer?
        let digest: OpaquePointer?
        switch (algorithm, algorithm.digest) {
        case (.edDSA, _): unsafe digest = nil
        case (_, .sha256): unsafe digest = EVP_sha256()
        case (_, .sha384): unsafe digest = EVP_sha384()
        case (_, .sha512): unsafe digest = EVP_sha512()
        }
        precondition(unsafe EVP_DigestSignInit(context, &padding, digest, nil, key) == 1)
        if algorithm == .ps256 {
            precondition(unsafe EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PSS_PADDING) == 1)
            precondition(unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(padding, saltLength) == 1)
        }
        var signature = [UInt8](repeating: 0, count: 1024)
        var count = signature.count
        precondition(unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
        signature = Array(signature.prefix(count))
        switch algorithm {
        case .es256: return Signer.joined(signature, half: 32)
        case .es384: return Signer.joined(signature, half: 48)
        default: return signature
        }
    }

    /// The two numbers of a DER signature, in the fixed length that tokens use.
    private static func joined(_ der: [UInt8], half: Int) -> [UInt8] {
        var rest = der.dropFirst(2)
        return (0..<2).flatMap { _ in
            let count = Int(rest[rest.startIndex + 1])
            let digits = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            rest = rest.dropFirst(2 + count)
            return [UInt8](repeating: 0, count: half - digits.count) + digits
        }
    }
}
#endif
