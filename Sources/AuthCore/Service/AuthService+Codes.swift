#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension AuthService {
    /// Draws a code for a mail; its capability is kept under the code's hash.
    package func issueMailCode() throws(AuthError) -> IssuedCode {
        let code = Base64URL.encode(environment.randomBytes(24))
        return try issue(code, key: .mailCode(code), hash: [])
    }

    /// Draws six digits for a number; their capability is kept under an id of its own, with a keyed hash of the digits.
    package func issueDigits() throws(AuthError) -> IssuedCode {
        var bits = environment.randomBits()
        let limit = UInt128.max - UInt128.max % 1_000_000
        while bits >= limit { bits = environment.randomBits() }
        let digits = String(bits % 1_000_000)
        let code = String(repeating: "0", count: 6 - digits.count) + digits
        let key = CapabilityKey(bits: environment.randomBits())
        return try issue(code, key: key, hash: hash(ofDigits: code, for: key))
    }

    private func issue(_ code: String, key: CapabilityKey, hash: [UInt8]) throws(AuthError) -> IssuedCode {
        let message = OperationID(bits: environment.randomBits())
        do {
            let sealed = try sealer.seal(Array(code.utf8), context: message.text)
            return IssuedCode(key: key, hash: hash, sealed: sealed, message: message)
        } catch {
            throw AuthError(.internalError, cause: error)
        }
    }

    /// The keyed hash under which digits are kept.
    package func hash(ofDigits digits: String, for key: CapabilityKey) -> [UInt8] {
        codeKey.authenticate(Array((key.text + "\u{0}" + digits).utf8))
    }

    /// Walks an operation that issues a code, and sends the message.
    package func walkAndSend<O: Operation>(
        _ operation: O,
        _ context: RequestContext,
        _ delivery: MessageDelivery
    ) async throws(AuthError) -> O.Outcome {
        let walked = try await walk(operation, context)
        if !walked.messages.isEmpty { try await deliver(walked.messages, delivery) }
        return walked.outcome
    }
}

extension CapabilityKey {
    /// The key under which the capability of a mailed code is kept; what is too long for a code is as good as none, unread.
    package static func mailCode(_ code: String) -> CapabilityKey {
        CapabilityKey(digestOf: "code\u{0}" + (code.utf8.count <= 1024 ? code : ""))
    }
}

/// Who is told when a message cannot be sent.
package enum MessageDelivery: Sendable {
    /// The person in a session: the request fails and the code is revoked.
    case awaited
    /// Nobody but the operators: the answer was fixed before the message left.
    case afterwards
}
