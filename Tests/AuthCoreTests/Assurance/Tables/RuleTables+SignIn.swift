@testable import AuthCore

/// The rules that let somebody in, with all their facts.
extension RuleTables {
    static var signIn: [RuleTable] {
        [federated, mailbox, reauthenticate]
    }

    private static var federated: RuleTable {
        RuleTable(
            "SignInFederated",
            SignInFederated.Facts(
                identity: .unknown,
                address: .notStated,
                assurance: .claimed,
                minimumAssurance: .confirmed,
                ownerEvidence: .absent,
                isOwnerCovered: false,
                isOwnerAdoptable: false,
                hasOtherSubject: false,
                isBlocked: false,
                factor: .notEnrolled,
                accountsPerEmail: .one,
                addressReservation: .everyAddress,
                joining: .whenVerified,
                unverifiedOwner: .takenOver,
                recycledSubject: .replaces
            ),
            [
                .of("identity", \.identity),
                .knob("accounts", \.accountsPerEmail, firebase: .one, standard: .one),
                .of("address", \.address),
                .of("word", \.assurance),
                .knob("joining", \.joining, firebase: .whenVerified, standard: .whenCovered),
                .knob("verifying", \.minimumAssurance, firebase: .confirmed, standard: .authoritative),
                .knob("recycled", \.recycledSubject, firebase: .replaces, standard: .conflicts),
                .knob("unverified owner", \.unverifiedOwner, firebase: .takenOver, standard: .adopted),
                .knob("reserves", \.addressReservation, firebase: .everyAddress, standard: .verifiedAddress),
                .flag("other subject", \.hasOtherSubject), .flag("blocked", \.isBlocked),
                .flag("adoptable", \.isOwnerAdoptable), .of("proof", \.ownerEvidence),
                .flag("covered", \.isOwnerCovered), .of("factor", \.factor),
            ],
            where: { facts in
                // No policy lets a word prove that only repeats what the provider was told.
                if facts.minimumAssurance == .claimed { return false }
                // A known identity, or an address that nobody owns, leaves nothing to say of an owner.
                let hasOwner =
                    facts.identity == .unknown && (facts.address == .owned || facts.address == .ownedByDisabled)
                let saysOwner =
                    facts.ownerEvidence != .absent || facts.isOwnerCovered || facts.isOwnerAdoptable
                    || facts.hasOtherSubject
                    || facts.isBlocked
                if !hasOwner && (saysOwner || facts.identity == .unknown && facts.factor != .notEnrolled) {
                    return false
                }
                // What was verified once is never adoptable, and a disabled account is not; a factor is a proof too.
                if facts.isOwnerAdoptable && (facts.ownerEvidence != .absent || facts.factor != .notEnrolled) {
                    return false
                }
                return !(facts.isOwnerAdoptable && (facts.hasOtherSubject || facts.isBlocked))
                    && !(facts.isOwnerAdoptable && facts.address == .ownedByDisabled)
            },
            must: { facts, answer in
                if facts.identity == .disabled && answer.isGranted { return "a disabled account is entered" }
                if facts.identity == .suspended && answer.isGranted { return "a suspended method signs in" }
                if answer.isGranted && facts.factor == .required && facts.accountsPerEmail == .one
                    && !answer.text.hasPrefix("create")
                {
                    return "an owed factor is passed"
                }
                guard answer.text.hasPrefix("join") else { return nil }
                if facts.assurance < facts.minimumAssurance { return "a word that proves nothing joins" }
                if facts.isBlocked { return "a blocked issuer joins" }
                if facts.address != .owned { return "a join without an open owner" }
                if facts.ownerEvidence == .old { return "what was verified once is joined to or taken over" }
                if facts.joining == .whenCovered && facts.unverifiedOwner == .adopted && !facts.isOwnerAdoptable {
                    if facts.ownerEvidence != .fresh { return "an unverified owner is joined" }
                    if !facts.isOwnerCovered { return "what no proof covers is joined" }
                }
                return nil
            }
        ) { facts throws(Refusal) in
            switch try SignInFederated.rule(facts) {
            case .signIn(let reason): .granted("sign in, \(reason)")
            case .create(let address, let reason): .granted("create with address \(address), \(reason)")
            case .join(let removesMethods, let reason):
                .granted("join\(removesMethods ? " and remove methods" : ""), \(reason)")
            case .challenge: .challenge
            case .conflict(let reason): .refused(.accountExistsWithDifferentCredential, reason)
            }
        }
    }

    private static var mailbox: RuleTable {
        RuleTable(
            "SignInWithMailbox",
            SignInWithMailbox.Facts(
                owner: .absent,
                isLeft: false,
                isLinked: false,
                isSuspended: false,
                isOwnerVerified: false,
                isOwnerCovered: false,
                isOwnerAdoptable: false,
                factor: .notEnrolled,
                joining: .whenVerified,
                unverifiedOwner: .takenOver
            ),
            [
                .of("owner", \.owner),
                .knob("joining", \.joining, firebase: .whenVerified, standard: .whenCovered),
                .knob("unverified owner", \.unverifiedOwner, firebase: .takenOver, standard: .adopted),
                .flag("left", \.isLeft), .flag("adoptable", \.isOwnerAdoptable), .flag("linked", \.isLinked),
                .flag("suspended", \.isSuspended), .flag("verified", \.isOwnerVerified),
                .flag("covered", \.isOwnerCovered),
                .of("factor", \.factor),
            ],
            where: { facts in
                let saysOwner =
                    facts.isLinked || facts.isSuspended || facts.isOwnerVerified || facts.isOwnerCovered
                    || facts.isOwnerAdoptable
                    || facts.factor != .notEnrolled
                // What says something of the address says nothing of an account that has left it.
                if facts.isLeft {
                    if facts.isLinked || facts.isSuspended || facts.isOwnerVerified || facts.isOwnerAdoptable {
                        return false
                    }
                    if facts.owner == .absent { return false }
                }
                if facts.owner == .absent && saysOwner || facts.isLinked && facts.isSuspended { return false }
                return
                    !(facts.isOwnerAdoptable
                    && (facts.isOwnerVerified || facts.factor != .notEnrolled || facts.owner == .disabled))
            },
            must: { facts, answer in
                if facts.isLeft && answer.isGranted { return "an address that was left signs in" }
                guard answer.isGranted else { return nil }
                if facts.owner == .disabled { return "a disabled account is entered" }
                if facts.factor == .required { return "an owed factor is passed" }
                if facts.isSuspended { return "a suspended method signs in" }
                if facts.joining == .whenCovered, facts.owner == .open, !facts.isOwnerAdoptable, !facts.isLinked,
                    !(facts.isOwnerVerified && facts.isOwnerCovered)
                {
                    return "what no proof covers is entered"
                }
                return nil
            }
        ) { facts throws(Refusal) in
            switch try SignInWithMailbox.rule(facts) {
            case .create: .granted("create")
            case .signIn(let removesMethods): .granted(removesMethods ? "remove methods and sign in" : "sign in")
            case .challenge: .challenge
            case .conflict(let reason): .refused(.accountExistsWithDifferentCredential, reason)
            }
        }
    }

    private static var reauthenticate: RuleTable {
        RuleTable(
            "Reauthenticate",
            Reauthenticate.Facts(owner: .noAccount, credential: .good, factor: .notEnrolled, disclosure: .detailed),
            [
                .of("credential holds", \.credential), .of("whose", \.owner), .of("factor", \.factor),
                .knob("disclosure", \.disclosure, firebase: .detailed, standard: .uniform),
            ],
            must: { facts, answer in
                let mayRenew = facts.owner == .thePerson && facts.credential == .good && facts.factor != .required
                return answer.isGranted != mayRenew ? "renewed by something else than the person's own" : nil
            }
        ) { facts in
            switch Reauthenticate.rule(facts) {
            case .renew: .granted("renew")
            case .challenge: .challenge
            case .refuseMismatch: .refused(.userMismatch, .credentialIsOfAnother)
            case .refuseCredential: .refused(.invalidCredential, .credentialIsWrong)
            }
        }
    }
}
