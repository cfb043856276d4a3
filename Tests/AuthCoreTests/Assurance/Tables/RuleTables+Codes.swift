@testable import AuthCore

/// The rules about mailed codes and conflicts, with all their facts.
extension RuleTables {
    static var codes: [RuleTable] {
        [mailed, digits, apply, createSeparateAccount, lostFactors]
    }

    /// A code that is presented, before anything that it meets.
    private struct PresentedCode {
        var code = CodeStatus.good
    }

    private static func code(_ name: String, _ refusal: (CodeStatus) -> Refusal?) -> RuleTable {
        RuleTable(
            name,
            PresentedCode(),
            [.of("code", \.code)],
            must: { facts, answer in
                answer.isGranted != (facts.code == .good) ? "a code that does not hold is accepted" : nil
            }
        ) { facts throws(Refusal) in
            if let refusal = refusal(facts.code) { throw refusal }
            return .granted("holds")
        }
    }

    private static var mailed: RuleTable { code("MailedCode", \.refusal) }

    private static var digits: RuleTable { code("PhoneCode", \.phoneRefusal) }

    private static var apply: RuleTable {
        RuleTable(
            "ApplyEmailAction",
            ApplyEmailAction.Facts(
                code: .good,
                purpose: .verify,
                isBindingIntact: true,
                newAddress: .noAccount,
                isOtherVerified: false
            ),
            [
                .of("code", \.code), .of("purpose", \.purpose), .flag("binding intact", \.isBindingIntact),
                .of("new address", \.newAddress), .flag("other verified", \.isOtherVerified),
            ],
            where: { $0.newAddress == .another || !$0.isOtherVerified },
            must: { facts, answer in
                guard answer.isGranted else { return nil }
                if facts.code != .good || !facts.isBindingIntact { return "a code works that does not hold" }
                return facts.newAddress == .another && facts.isOtherVerified ? "a verified address is taken" : nil
            }
        ) { facts throws(Refusal) in
            try ApplyEmailAction.rule(facts)
            return .granted("apply")
        }
    }

    private static var createSeparateAccount: RuleTable {
        RuleTable(
            "CreateSeparateAccount",
            CreateSeparateAccount.Facts(
                verified: .nothing,
                owner: .absent,
                isOwn: true,
                isNumberInUse: false,
                isOwnerVerified: false,
                isLastMethod: false,
                lastMethod: .removable,
                isIdentityOwned: false
            ),
            [
                .flag("identity owned", \.isIdentityOwned), .of("verified", \.verified),
                .of("owner", \.owner), .flag("own", \.isOwn), .flag("number in use", \.isNumberInUse),
                .flag("owner verified", \.isOwnerVerified),
                .flag("last", \.isLastMethod),
                .knob("last method", \.lastMethod, firebase: .removable, standard: .kept),
            ],
            where: { facts in
                if facts.isNumberInUse && (facts.verified != .number || facts.owner == .absent) { return false }
                return facts.owner != .absent || (facts.isOwn && !facts.isOwnerVerified && !facts.isLastMethod)
            },
            must: { facts, answer in
                guard answer.isGranted else { return nil }
                if facts.verified == .nothing { return "taken without a proof" }
                if facts.isIdentityOwned { return "an identity gets two owners" }
                if facts.isNumberInUse { return "a number is taken that signs in to its account" }
                return facts.isOwnerVerified && facts.isLastMethod && facts.lastMethod == .kept
                    ? "the last sign-in method goes" : nil
            }
        ) { facts throws(Refusal) in
            try CreateSeparateAccount.rule(facts)
            return .granted("start")
        }
    }

    private static var lostFactors: RuleTable {
        RuleTable(
            "RecoverFromLostFactors",
            RecoverFromLostFactors.Facts(
                code: .good,
                isOffered: true,
                owner: .open,
                hasFactors: true,
                isAddressVerified: true,
                other: .nothing,
                waiting: .notBegun
            ),
            [
                .switchable("offered", \.isOffered, firebase: false, standard: true), .of("code", \.code),
                .of("owner", \.owner), .flag("address verified", \.isAddressVerified), .flag("factors", \.hasFactors),
                .of("other", \.other), .of("waiting", \.waiting),
            ],
            must: { facts, answer in
                answer.text == "remove" && facts.other != .older && facts.waiting != .over
                    ? "the mailbox alone takes a factor off" : nil
            }
        ) { facts throws(Refusal) in
            switch try RecoverFromLostFactors.rule(facts) {
            case .remove: .granted("remove")
            case .begin: .granted("begin")
            case .wait: .granted("wait")
            }
        }
    }
}
