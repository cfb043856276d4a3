extension AuthPolicy: PolicyPart {
    /// Every choice except the verified providers, which the service sets.
    static let knobs: [Knob<AuthPolicy>] = [
        .init("accountsPerEmail", \.accountsPerEmail), .init("disclosure", \.disclosure),
        .init("addressTrust", \.addressTrust), .init("joining", \.joining), .init("unverifiedOwner", \.unverifiedOwner),
        .init("unverifiedEmailChange", \.unverifiedEmailChange), .init("passwordReset", \.passwordReset),
        .init("addressReservation", \.addressReservation), .init("emailRecovery", \.emailRecovery),
        .init("revokesSessionsOn", \.revokesSessionsOn), .init("evidenceLifetime", \.evidenceLifetime),
        .init("phoneEvidenceLifetime", \.phoneEvidenceLifetime), .init("settledAfter", \.settledAfter),
        .init("seniority", \.seniority), .init("blocksRemovedIssuers", \.blocksRemovedIssuers),
        .init("lastMethod", \.lastMethod), .init("recycledSubject", \.recycledSubject),
        .init("joinProfile", \.joinProfile), .init("phoneWithFactors", \.phoneWithFactors),
        .init("removedMethod", \.removedMethod), .init("recency", \.recency),
        .init("recencyNeedsFactor", \.recencyNeedsFactor), .init("customTokensAreRecent", \.customTokensAreRecent),
        .init("limits", \.limits), .init("liveMailCodes", \.liveMailCodes), .init("factorLimit", \.factorLimit),
        .init("factorChangeNeedsFactor", \.factorChangeNeedsFactor), .init("passwordRule", \.passwordRule),
        .init("disabledProviders", \.disabledProviders), .init("sendsNotices", \.sendsNotices),
        .init("deletionGrace", \.deletionGrace), .init("unverifiedLifetime", \.unverifiedLifetime),
        .init("concealsSignUp", \.concealsSignUp), .init("factorRecoveryWait", \.factorRecoveryWait),
        .init("endsAddressChanges", \.endsAddressChanges), .init("linkNonce", \.linkNonce),
        .init("lifetimes", \.lifetimes), .init("sessions", \.sessions), .init("delivery", \.delivery),
    ]
}

extension AuthPolicy.Lifetimes: PolicyPart {
    static let knobs: [Knob<Self>] = [
        .init("mailCode", \.mailCode), .init("signInLink", \.signInLink), .init("phoneCode", \.phoneCode),
        .init("pendingIdentity", \.pendingIdentity), .init("nonce", \.nonce),
        .init("factorChallenge", \.factorChallenge), .init("emailRecovery", \.emailRecovery), .init("notice", \.notice),
        .init("mergeIntent", \.mergeIntent), .init("mergeUndo", \.mergeUndo), .init("idToken", \.idToken),
    ]
}

extension AuthPolicy.SessionLimits: PolicyPart {
    static let knobs: [Knob<Self>] = [
        .init("idle", \.idle), .init("absolute", \.absolute), .init("guestIdle", \.guestIdle),
        .init("perAccount", \.perAccount),
    ]
}

extension AuthPolicy.Delivery: PolicyPart {
    static let knobs: [Knob<Self>] = [
        .init("lease", \.lease), .init("firstWait", \.firstWait), .init("longestWait", \.longestWait),
        .init("tries", \.tries), .init("age", \.age), .init("kept", \.kept),
    ]
}

extension AuthPolicy.AttemptLimits: PolicyPart {
    static let knobs: [Knob<Self>] = [
        .init("passwords", \.passwords), .init("passwordsOnKnownDevice", \.passwordsOnKnownDevice),
        .init("guessesFromOrigin", \.guessesFromOrigin), .init("wrongCodes", \.wrongCodes),
        .init("digitsForNumber", \.digitsForNumber), .init("numberPause", \.numberPause),
        .init("factorAnswersOnKnownDevice", \.factorAnswersOnKnownDevice),
        .init("factorAnswersInDay", \.factorAnswersInDay), .init("factorAnswers", \.factorAnswers),
        .init("mails", \.mails), .init("mailsFromOrigin", \.mailsFromOrigin), .init("texts", \.texts),
        .init("textsOnKnownDevices", \.textsOnKnownDevices), .init("factorTexts", \.factorTexts),
        .init("textsFromOrigin", \.textsFromOrigin), .init("accountsFromOrigin", \.accountsFromOrigin),
        .init("newPasswords", \.newPasswords), .init("visitsFromOrigin", \.visitsFromOrigin),
        .init("visitsOfAccount", \.visitsOfAccount), .init("unknownOriginFactor", \.unknownOriginFactor),
        .init("firstWait", \.firstWait), .init("longestWait", \.longestWait),
        .init("longestOriginWait", \.longestOriginWait), .init("halfLife", \.halfLife),
    ]
}

extension AuthPolicy.Recency: PolicyPart {
    init() { self.init(interval: .zero, operations: []) }

    static let knobs: [Knob<Self>] = [.init("interval", \.interval), .init("operations", \.operations)]
}

extension AuthPolicy.PasswordRule: PolicyPart {
    init() { self.init(minimumLength: 0) }

    static let knobs: [Knob<Self>] = [
        .init("minimumLength", \.minimumLength), .init("minimumLengthAlone", \.minimumLengthAlone),
        .init("maximumBytes", \.maximumBytes), .init("deniesCommon", \.deniesCommon),
    ]
}

extension AuthPolicy.AddressAuthorities: PolicyPart {
    init() { self.init(authorities: [:]) }

    static let knobs: [Knob<Self>] = [.init("authorities", \.authorities), .init("alwaysConfirmed", \.alwaysConfirmed)]
}

extension AuthPolicy.AddressAuthorities.Authority: PolicyPart {
    init() { self.init(domains: []) }

    static let knobs: [Knob<Self>] = [
        .init("domains", \.domains), .init("hostedDomains", \.hostedDomains),
        .init("needsVerifiedFlag", \.needsVerifiedFlag), .init("confirmedClaim", \.confirmedClaim),
    ]
}

/// The text `verifiedFlag`, or the object of the authorities.
extension AuthPolicy.AddressTrust: Codable {
    /// Reads either form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard text == "verifiedFlag" else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no address trust")
            }
            self = .verifiedFlag
        } else {
            self = .authorities(try AuthPolicy.AddressAuthorities(from: decoder))
        }
    }

    /// Writes either form.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .authorities(let authorities): try authorities.encode(to: encoder)
        case .verifiedFlag:
            var container = encoder.singleValueContainer()
            try container.encode("verifiedFlag")
        }
    }
}
