#if canImport(CryptoKit)
internal import CryptoKit
internal import Foundation
internal import Security

extension PublicKey {
    /// Whether the signature is this key's over the message.
    func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        guard fits(algorithm), hasLength(signature) else { return false }
        switch material {
        case .rsa: return verifiesRSA(signature, of: message, by: algorithm)
        case .ellipticCurve(.p256, _, _):
            guard let key = try? P256.Signing.PublicKey(x963Representation: bareKey),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: CryptoKit.SHA256.hash(data: message))
        case .ellipticCurve(.p384, _, _):
            guard let key = try? P384.Signing.PublicKey(x963Representation: bareKey),
                let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: CryptoKit.SHA384.hash(data: message))
        case .ed25519:
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bareKey) else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }

    private func verifiesRSA(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        let kind: SecKeyAlgorithm =
            switch algorithm {
            case .rs384: .rsaSignatureMessagePKCS1v15SHA384
            case .rs512: .rsaSignatureMessagePKCS1v15SHA512
            case .ps256: .rsaSignatureMessagePSSSHA256
            default: .rsaSignatureMessagePKCS1v15SHA256
            }
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic,
        ]
        // A variable, since compilers differ in whether a literal `nil` for a pointer is unsafe.
        let unwanted: UnsafeMutablePointer<Unmanaged<CFError>?>? = nil
        let bytes = Data(bareKey) as CFData
        guard let key = unsafe SecKeyCreateWithData(bytes, attributes as CFDictionary, unwanted) else { return false }
        return unsafe SecKeyVerifySignature(key, kind, Data(message) as CFData, Data(signature) as CFData, unwanted)
    }
}

extension PrivateKey {
    /// Signs the message by ES256; nil if the key is not one of P-256.
    func signature(of message: [UInt8]) -> [UInt8]? {
        guard let key = try? P256.Signing.PrivateKey(derRepresentation: der) else { return nil }
        return (try? key.signature(for: message)).map { Array($0.rawRepresentation) }
    }
}

extension DigestAlgorithm {
    /// Returns the digest of the message.
    func hash(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(CryptoKit.SHA256.hash(data: message))
        case .sha384: Array(CryptoKit.SHA384.hash(data: message))
        case .sha512: Array(CryptoKit.SHA512.hash(data: message))
        }
    }
}
#endif
