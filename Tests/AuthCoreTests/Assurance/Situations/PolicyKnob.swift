@testable import AuthCore

/// One stored property of `AuthPolicy`, with the settings that differ from one another in kind.
struct PolicyKnob {
    /// The property, by its name in the source.
    let property: String
    /// The settings, in words.
    let settings: [String]
    /// Which setting each preset has; nil for one that is none of them.
    let presets: [Preset: Int?]
    /// Turns a policy to a setting, for somebody who comes by this provider.
    let turn: @Sendable (inout AuthPolicy, Int, ProviderID) -> Void

    enum Preset: String, CaseIterable {
        case firebase
        case standard

        var policy: AuthPolicy { self == .firebase ? .firebase : .pinned }
    }

    /// A choice among these.
    static func of<Value: Equatable & Sendable>(
        _ property: String,
        _ path: any WritableKeyPath<AuthPolicy, Value> & Sendable,
        _ settings: KeyValuePairs<String, Value>
    ) -> PolicyKnob {
        let values = settings.map(\.value)
        var presets: [Preset: Int?] = [:]
        for preset in Preset.allCases {
            presets[preset] = values.firstIndex { $0 == preset.policy[keyPath: path] }
        }
        return PolicyKnob(property: property, settings: settings.map(\.key), presets: presets) { policy, setting, _ in
            policy[keyPath: path] = values[setting]
        }
    }

    /// A choice among all cases.
    static func of<Value: CaseIterable & Equatable & Sendable>(
        _ property: String,
        _ path: any WritableKeyPath<AuthPolicy, Value> & Sendable
    ) -> PolicyKnob {
        let values = Array(Value.allCases)
        var presets: [Preset: Int?] = [:]
        for preset in Preset.allCases {
            presets[preset] = values.firstIndex { $0 == preset.policy[keyPath: path] }
        }
        return PolicyKnob(property: property, settings: values.map { "\($0)" }, presets: presets) {
            policy,
            setting,
            _ in
            policy[keyPath: path] = values[setting]
        }
    }

    /// A choice of one of two.
    static func of(_ property: String, _ path: any WritableKeyPath<AuthPolicy, Bool> & Sendable) -> PolicyKnob {
        of(property, path, ["no": false, "yes": true])
    }

    /// A number that one preset has and the other has not.
    static func optional<Value: Equatable & Sendable>(
        _ property: String,
        _ path: any WritableKeyPath<AuthPolicy, Value?> & Sendable
    ) -> PolicyKnob {
        of(property, path, ["none": nil, "as standard": AuthPolicy.pinned[keyPath: path]])
    }
}

extension PolicyKnob {
    /// Everything that a policy chooses.
    static var all: [PolicyKnob] {
        [
            .of("accountsPerEmail", \.accountsPerEmail), .of("disclosure", \.disclosure),
            .of(
                "addressTrust",
                \.addressTrust,
                ["verified flag": .verifiedFlag, "authorities": AuthPolicy.pinned.addressTrust]
            ),
            .of("joining", \.joining), .of("unverifiedOwner", \.unverifiedOwner),
            .of("unverifiedEmailChange", \.unverifiedEmailChange), .of("passwordReset", \.passwordReset),
            .of("addressReservation", \.addressReservation), .of("emailRecovery", \.emailRecovery),
            .of(
                "revokesSessionsOn",
                \.revokesSessionsOn,
                [
                    "as firebase": AuthPolicy.firebase.revokesSessionsOn,
                    "as standard": AuthPolicy.pinned.revokesSessionsOn,
                ]
            ),
            .optional("evidenceLifetime", \.evidenceLifetime),
            .optional("phoneEvidenceLifetime", \.phoneEvidenceLifetime),
            .of("settledAfter", \.settledAfter, ["a month": .days(30), "at once": .zero]),
            .optional("seniority", \.seniority), .of("blocksRemovedIssuers", \.blocksRemovedIssuers),
            .of("lastMethod", \.lastMethod), .of("recycledSubject", \.recycledSubject),
            .of("joinProfile", \.joinProfile), .of("phoneWithFactors", \.phoneWithFactors),
            .of("removedMethod", \.removedMethod),
            .of(
                "recency",
                \.recency,
                ["as firebase": AuthPolicy.firebase.recency, "as standard": AuthPolicy.pinned.recency]
            ),
            .of("recencyNeedsFactor", \.recencyNeedsFactor), .of("customTokensAreRecent", \.customTokensAreRecent),
            .optional("limits", \.limits), .of("liveMailCodes", \.liveMailCodes, ["five": 5, "one": 1, "fifty": 50]),
            .optional("factorLimit", \.factorLimit), .of("factorChangeNeedsFactor", \.factorChangeNeedsFactor),
            .of("passwordRule", \.passwordRule.minimumLength, ["six": 6, "eight": 8]), disabledProviders,
            verifiedProviders, .of("sendsNotices", \.sendsNotices), .optional("deletionGrace", \.deletionGrace),
            .optional("unverifiedLifetime", \.unverifiedLifetime), .of("concealsSignUp", \.concealsSignUp),
            .optional("factorRecoveryWait", \.factorRecoveryWait), .of("endsAddressChanges", \.endsAddressChanges),
            .of("linkNonce", \.linkNonce), lifetimes,
            .of("delivery", \.delivery, ["as always": AuthPolicy.Delivery(), "hasty": hasty]),
            .of(
                "sessions",
                \.sessions,
                [
                    "as firebase": AuthPolicy.firebase.sessions, "as standard": AuthPolicy.standard.sessions,
                    "no limit": .init(),
                ]
            ),
        ]
    }

    private static var disabledProviders: PolicyKnob {
        PolicyKnob(
            property: "disabledProviders",
            settings: ["none", "the one presented"],
            presets: [.firebase: 0, .standard: 0]
        ) { policy, setting, provider in
            policy.disabledProviders = setting == 0 ? [] : [provider]
        }
    }

    private static var verifiedProviders: PolicyKnob {
        PolicyKnob(
            property: "verifiedProviders",
            settings: ["not asked", "the one presented"],
            presets: [.firebase: 0, .standard: 0]
        ) { policy, setting, provider in
            policy.verifiedProviders = setting == 0 ? nil : [provider]
        }
    }

    /// A rule by which no message is tried twice.
    private static var hasty: AuthPolicy.Delivery {
        var rule = AuthPolicy.Delivery()
        rule.tries = 1
        return rule
    }

    /// How long things last differs in nothing but how long, except where something is not kept at all.
    private static var lifetimes: PolicyKnob {
        var brief = AuthPolicy.Lifetimes()
        for path in [
            \AuthPolicy.Lifetimes.mailCode, \.signInLink, \.phoneCode, \.pendingIdentity, \.factorChallenge, \.nonce,
            \.emailRecovery, \.notice, \.mergeIntent, \.idToken,
        ] { brief[keyPath: path] = .minutes(1) }
        brief.mergeUndo = .zero
        // Each preset has times of its own; the one other setting is the same for both.
        return PolicyKnob(
            property: "lifetimes",
            settings: ["its own", "a minute"],
            presets: [.firebase: 0, .standard: 0]
        ) { [brief] policy, setting, _ in
            if setting == 1 { policy.lifetimes = brief }
        }
    }
}
