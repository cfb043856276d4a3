internal import AuthCore

/// A rule of the standard policy that decides cells of the map.
struct MapRule: Sendable {
    /// The number, as in the article about the standard policy.
    let id: String
    let text: String
    let reasons: [Reason]

    static func of(_ reason: Reason) -> MapRule? { all.first { $0.reasons.contains(reason) } }

    static let all = [
        MapRule(
            id: "S1",
            text: "What a provider says about an address is authoritative if it runs the mailbox, confirmed if it once "
                + "verified the address, else claimed. .firebase takes the provider's flag for a proof.",
            reasons: [.providerIsNotAuthoritative]
        ),
        MapRule(
            id: "S2",
            text: "An account owns an address only if it verified it. An address that is confirmed or claimed is "
                + "displayed; a claimed one does not even raise a conflict.",
            reasons: [.addressIsReferencedElsewhere, .addressIsOnlyClaimed]
        ),
        MapRule(
            id: "S3",
            text:
                "A verification covers the methods that its session used or added. A link that was opened outside the "
                + "account's session covers none.",
            reasons: [.methodsAreNotCovered]
        ),
        MapRule(
            id: "S4",
            text: "A verification that is older than a year is not enough to join by.",
            reasons: [.ownerEvidenceIsNotFresh]
        ),
        MapRule(
            id: "S6",
            text:
                "A known identity opens its account, whatever address it states. An unknown identity with a free address "
                + "gets a new account.",
            reasons: [.identityIsKnown, .identityIsNew, .addressIsFree, .passwordMatches, .mailboxIsVerified]
        ),
        MapRule(
            id: "S7",
            text:
                "An identity joins only if its provider runs the mailbox, the account verified the address recently, and "
                + "that verification covers every method. A second identity of one provider is a conflict.",
            reasons: [.proofCoversEverything, .bothSidesVerifyAddress, .otherSubjectIsLinked]
        ),
        MapRule(
            id: "S8",
            text:
                "An account that never verified anything and has only its address is adopted by the person who verifies "
                + "it; its methods, sessions and codes go. .firebase adopts whatever was not verified.",
            reasons: [.accountIsAdopted, .ownerNeverVerifiedAddress, .unverifiedMethodsAreRemoved]
        ),
        MapRule(
            id: "S15",
            text:
                "Removing an identity blocks its issuer: identities of this issuer join only from inside the account.",
            reasons: [.issuerIsBlocked]
        ),
        MapRule(
            id: "S29",
            text: "That an account is disabled, or has a second factor, shows only after the first factor.",
            reasons: [.accountIsDisabled, .secondFactorIsRequired]
        ),
    ]
}
