/// The names that are numbers in an `OpenName`: those of the usual providers and issuers, and of the library's own kinds of
/// events and messages.
enum UsualName: Sendable, Hashable, CaseIterable {
    // Providers and issuers.
    case password, phone, anonymous, custom
    case emailLink, google, googleIssuer, facebook, gitHub, apple, appleIssuer, twitter, microsoft

    // Kinds of events; a kind of message may have the same name.
    case accountCreated, accountDeleted, deletionRequested, deletionTakenBack, accountMerged, accountRestored
    case mergeBegun, mergeCalledOff, accountDisabled, accountEnabled, signedIn, reauthenticated, signedOut
    case sessionsRevoked, methodsChanged, factorsChanged, factorRecoveryBegun, factorRecoveryEnded
    case emailChanged, emailProven, profileChanged, claimsChanged

    // Kinds of messages.
    case verifyEmail, changeEmail, resetPassword, recoverEmail, signInLink, signInMethods, phoneCode
    case methodAdded, methodRemoved, methodReplaced, factorAdded, factorRemoved, addressChanged
    case recoveryCodesMade, recoveryCodeUsed, notMe

    private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.text, $0) })

    /// The usual name with the very bytes of a text; what only looks like one is another name.
    package init?(bytesOf text: String) {
        guard let usual = Self.byText[text], usual.text.hasSameBytes(as: text) else { return nil }
        self = usual
    }

    /// The name as everybody else knows it.
    var text: String {
        switch self {
        case .password: "password"
        case .phone: "phone"
        case .anonymous: "anonymous"
        case .custom: "custom"
        case .emailLink: "emaillink"
        case .google: "google.com"
        case .googleIssuer: "https://accounts.google.com"
        case .facebook: "facebook.com"
        case .gitHub: "github.com"
        case .apple: "apple.com"
        case .appleIssuer: "https://appleid.apple.com"
        case .twitter: "twitter.com"
        case .microsoft: "microsoft.com"
        case .accountCreated: "accountCreated"
        case .accountDeleted: "accountDeleted"
        case .deletionRequested: "deletionRequested"
        case .deletionTakenBack: "deletionTakenBack"
        case .accountMerged: "accountMerged"
        case .accountRestored: "accountRestored"
        case .mergeBegun: "mergeBegun"
        case .mergeCalledOff: "mergeCalledOff"
        case .accountDisabled: "accountDisabled"
        case .accountEnabled: "accountEnabled"
        case .signedIn: "signedIn"
        case .reauthenticated: "reauthenticated"
        case .signedOut: "signedOut"
        case .sessionsRevoked: "sessionsRevoked"
        case .methodsChanged: "methodsChanged"
        case .factorsChanged: "factorsChanged"
        case .factorRecoveryBegun: "factorRecoveryBegun"
        case .factorRecoveryEnded: "factorRecoveryEnded"
        case .emailChanged: "emailChanged"
        case .emailProven: "emailProven"
        case .profileChanged: "profileChanged"
        case .claimsChanged: "claimsChanged"
        case .verifyEmail: "verifyEmail"
        case .changeEmail: "changeEmail"
        case .resetPassword: "resetPassword"
        case .recoverEmail: "recoverEmail"
        case .signInLink: "signInLink"
        case .signInMethods: "signInMethods"
        case .phoneCode: "phoneCode"
        case .methodAdded: "methodAdded"
        case .methodRemoved: "methodRemoved"
        case .methodReplaced: "methodReplaced"
        case .factorAdded: "factorAdded"
        case .factorRemoved: "factorRemoved"
        case .addressChanged: "addressChanged"
        case .recoveryCodesMade: "recoveryCodesMade"
        case .recoveryCodeUsed: "recoveryCodeUsed"
        case .notMe: "notMe"
        }
    }
}
