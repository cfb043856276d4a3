#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Account {
    /// Suspends what the owner of the mailbox may not know: whatever the mailbox's proof does not cover, and identities
    /// that are neither settled nor authoritative for it.
    package mutating func suspendDoubtful(
        for email: EmailAddress,
        sparing kinds: Set<MethodKind>,
        by ruling: Ruling
    ) {
        for index in methods.indices where methods[index].isActive && !kinds.contains(methods[index].kind.methodKind) {
            let method = methods[index]
            if let identity = method.identity, identity.email == email, identity.word == .authoritative { continue }
            let isSettled = ruling.now.timeIntervalSince(method.addedAt) >= ruling.policy.settledAfter
            let isOfMailbox = method.kind.methodKind == .password || method.kind.methodKind == .emailLink
            if method.isCovered(by: .email(email)) && (isSettled || isOfMailbox) { continue }
            methods[index].suspension = Suspension(since: ruling.now, reason: .recoverySuspends)
        }
    }
}
