import AuthCore
import AuthCoreTesting
import Foundation

// What stands between the marks stands in the guides, letter for letter; the `GuideTestCase`s run it.

/// A service that keeps asymmetric keys, as far as an example needs one: its signatures are sums.
struct KeyService: Sendable {
    func signature(of input: [UInt8], by keyID: String) async throws -> [UInt8] {
        [(Array(keyID.utf8) + input).reduce(0, &+)]
    }

    func isValid(_ signature: [UInt8], of input: [UInt8], by keyID: String) async throws -> Bool {
        try await signature == self.signature(of: input, by: keyID)
    }
}

enum Guide {
    static func start() async throws -> Auth {
        // GettingStarted.md begins
        let auth = Auth(providers: .simulated)
        let ann = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
        try await ann.link(with: .simulated(.google, .ann))
        try await auth.signOut()
        // GettingStarted.md ends

        // GettingStarted.md begins
        do {
            try await auth.signIn(with: .simulated(.gitHub, .ann))
        } catch {
            guard let conflict = error.conflict else { throw error }
            print("\(conflict.displayName) at \(conflict.provider) has the address of an account. Sign in as before.")
            let password = AuthCredential.password(email: "ann@example.com", password: "correct horse battery")
            try await auth.resolve(conflict, signingInWith: password)
        }
        // GettingStarted.md ends

        // GettingStarted.md begins
        for event in try await auth.service.events().events {
            print(event.kind, event.reasons.map(\.explanation).joined(separator: " "))
        }
        print(auth.outbox?.messages.map(\.description) ?? [])
        // GettingStarted.md ends
        return auth
    }

    // SigningInAndLinking.md begins
    static func signIn(byPhone number: String, digits: () async -> String, on auth: Auth) async throws -> User {
        let id = try await auth.sendPhoneCode(to: number)
        return try await auth.signIn(with: .phone(verificationID: id, code: await digits())).user
    }
    // SigningInAndLinking.md ends

    // SigningInAndLinking.md begins
    static func keepBasket(of guest: User, with credential: AuthCredential) async throws {
        try await guest.link(with: credential)
        print(guest.uid, "is no guest any more:", !guest.isAnonymous)
    }
    // SigningInAndLinking.md ends

    // SigningInAndLinking.md begins
    static func keepBasket(
        of guest: User,
        linking credential: AuthCredential,
        on auth: Auth,
        signingInAsBefore existing: () async -> AuthCredential
    ) async throws {
        do {
            try await guest.link(with: credential)
        } catch {
            guard let conflict = error.conflict else { throw error }
            if error.code == .credentialAlreadyInUse {
                try await auth.mergeCurrentUser(into: conflict)
            } else {
                let owner = try await auth.verify(await existing())
                let merged = try await auth.mergeCurrentUser(into: .verified(owner))
                try await merged.result.user.link(with: conflict.credential)
            }
        }
    }
    // SigningInAndLinking.md ends

    // SigningInAndLinking.md begins
    static func remove(_ provider: ProviderID, from user: User, verifying again: AuthCredential) async throws {
        do {
            try await user.unlink(provider)
        } catch {
            guard error.code == .requiresRecentLogin else { throw error }
            try await user.reauthenticate(with: again)
            try await user.unlink(provider)
        }
    }
    // SigningInAndLinking.md ends

    // SigningInAndLinking.md begins
    static func verifyAddress(of user: User) async throws {
        if user.email != nil, !user.isEmailVerified { try await user.sendEmailVerification() }
    }

    static func changeAddress(of user: User, to email: String) async throws {
        try await user.sendEmailVerification(beforeUpdatingTo: email)
    }

    static func changePassword(of user: User, to password: String) async throws {
        try await user.updatePassword(to: password)
    }

    static func changeNumber(of user: User, to number: String, digits: () async -> String, on auth: Auth) async throws {
        let id = try await auth.sendPhoneCode(to: number)
        try await user.updatePhoneNumber(with: .phone(verificationID: id, code: await digits()))
    }

    static func changeName(of user: User, to name: String) async throws {
        try await user.updateProfile(displayName: .set(name))
    }
    // SigningInAndLinking.md ends

    // SigningInAndLinking.md begins
    static func deleteAccount(of user: User, verifying again: AuthCredential) async throws {
        do {
            try await user.delete()
        } catch {
            guard error.code == .requiresRecentLogin else { throw error }
            try await user.reauthenticate(with: again)
            try await user.delete()
        }
    }
    // SigningInAndLinking.md ends

    // ResolvingConflicts.md begins
    enum Answer {
        case signingIn(AuthCredential)
        case openingLink(AuthCredential.EmailLink)
        case beingAnotherPerson(AuthCredential.EmailLink?)
    }
    // ResolvingConflicts.md ends

    // ResolvingConflicts.md begins
    static func resolve(_ conflict: Conflict, by answer: Answer, on auth: Auth) async throws -> User {
        switch answer {
        case .signingIn(let credential):
            return try await auth.resolve(conflict, signingInWith: credential).user
        case .openingLink(let link):
            return try await auth.resolve(conflict, signingInWith: .emailLink(link)).user
        case .beingAnotherPerson(let link):
            return try await auth.createSeparateAccount(from: conflict, verifying: link).user
        }
    }
    // ResolvingConflicts.md ends

    // MailedCodes.md begins
    static func sendSignInLink(to email: String, inLanguage language: String, on auth: Auth) async throws {
        let settings = Message.Settings(continueURL: "https://boats.example.com/welcome", language: language)
        try await auth.sendSignInLink(to: email, settings: settings)
    }
    // MailedCodes.md ends

    // MailedCodes.md begins
    static func open(_ link: String, on auth: Auth, newPassword: () async -> String) async throws -> String {
        let action = try await auth.checkActionCode(link)
        switch action.kind {
        case .verifyEmail, .changeEmail, .recoverEmail:
            try await auth.applyActionCode(link)
            return "The address is \(action.email ?? "")."
        case .resetPassword:
            let report = try await auth.confirmPasswordReset(code: link, newPassword: await newPassword())
            return report.suspended.isEmpty ? "Sign in." : "Sign in, and link again what is still yours."
        case .changeReport:
            try await auth.reportUnauthorizedChange(code: link)
            return "All sessions are ended, and what could be reversed is reversed. Set a new password now."
        default:
            return "This link opens in the app."
        }
    }
    // MailedCodes.md ends

    // MailedCodes.md begins
    static func signIn(
        opening link: String,
        mailedTo kept: String?,
        askingForAddress ask: () async -> String,
        on auth: Auth
    ) async throws -> User {
        let email: String
        if let kept { email = kept } else { email = await ask() }
        return try await auth.signIn(with: .emailLink(email: email, link: link)).user
    }
    // MailedCodes.md ends

    // SecondFactors.md begins
    static func enroll(_ user: User, showing picture: (String) -> Void, digits: () async -> String) async throws
        -> [String]
    {
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        picture(enrollment.provisioningURI)
        try await user.multiFactor.enroll(enrollment, code: await digits(), displayName: "Phone")
        return try await user.multiFactor.makeRecoveryCodes()
    }
    // SecondFactors.md ends

    // SecondFactors.md begins
    static func signIn(
        with credential: AuthCredential,
        on auth: Auth,
        digits: (SecondFactor.Challenge.Hint) async -> String
    ) async throws -> User {
        do {
            return try await auth.signIn(with: credential).user
        } catch {
            guard let challenge = error.secondFactor, let hint = challenge.hints.first else { throw error }
            if hint.kind == .phone {
                let id = try await auth.sendPhoneCode(for: challenge, factor: hint.id)
                let code = await digits(hint)
                return try await auth.resolve(challenge, with: .phone(verificationID: id, code: code)).user
            }
            return try await auth.resolve(challenge, with: .totp(await digits(hint))).user
        }
    }
    // SecondFactors.md ends

    // SecondFactors.md begins
    static func recover(
        _ auth: Auth,
        opening link: AuthCredential.EmailLink,
        older: AuthCredential?
    ) async throws -> String {
        switch try await auth.recoverFromLostFactors(with: link, and: older) {
        case .removed: "The factors are removed. Sign in and enroll new ones."
        case .waiting(let time): "Ask for another link after \(time)."
        }
    }
    // SecondFactors.md ends

    // SessionsAndTokens.md begins
    static func devices(of user: User) async throws -> [String] {
        try await user.sessions().map { session in
            let name = session.deviceName ?? "an unnamed device"
            return session.isCurrent ? "\(name) (this one)" : name
        }
    }
    // SessionsAndTokens.md ends

    // SessionsAndTokens.md begins
    static func exchange(_ refreshToken: String, on client: AuthClient) async throws -> (
        bearer: String, refresh: String
    ) {
        let tokens = try await client.refresh(refreshToken)
        return (tokens.idToken.token, tokens.refreshToken)
    }
    // SessionsAndTokens.md ends

    // SessionsAndTokens.md begins
    static func isAdministrator(bearer: String, on client: AuthClient) async throws -> Bool {
        try await client.user(forIDToken: bearer).customClaims["admin"]?.boolValue ?? false
    }
    // SessionsAndTokens.md ends

    // SessionsAndTokens.md begins
    struct KeyServiceSigner: TokenSigner {
        let algorithm = "ES256"
        let keyID: String
        let keys: KeyService

        func sign(_ input: [UInt8]) async throws -> [UInt8] {
            try await keys.signature(of: input, by: keyID)
        }

        func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
            try await keys.isValid(signature, of: input, by: keyID)
        }
    }
    // SessionsAndTokens.md ends

    // OnAServer.md begins
    static func service(
        _ store: any IdentityStore,
        _ attempts: any AttemptStore,
        _ providers: AuthProviders,
        key: [UInt8]
    ) -> AuthService {
        var configuration = AuthConfiguration(store: store, providers: providers, secretKey: key)
        configuration.attempts = attempts
        configuration.messageSender = Mailer()
        configuration.issuer = "https://accounts.example.com"
        configuration.audience = "boats"
        configuration.actionURL = "https://example.com/action"
        configuration.continueHosts = ["boats.example.com"]
        return AuthService(configuration)
    }
    // OnAServer.md ends

    // InAnApp.md begins
    static func launch(_ service: AuthService, keeping path: String, key: [UInt8]) async throws -> Auth {
        let persistence = try FileUserPersistence(path: path, key: key)
        let auth = Auth(service: service, deviceName: "Ann's phone", persistence: persistence)
        do {
            try await auth.restore()
        } catch {
            guard error.code == .savedSessionUnreadable else { throw error }
            print("The file was changed or the key is another one; the person signs in again.")
        }
        return auth
    }
    // InAnApp.md ends

    // InAnApp.md begins
    static func follow(_ auth: Auth, _ show: (String) async -> Void) async {
        for await change in auth.changes() {
            switch change {
            case .current(let user): await show(user?.displayName ?? "signed out")
            case .signedIn(let user): await show(user.displayName ?? user.uid)
            case .signedOut: await show("signed out")
            case .sessionEnded(let code): await show("signed out elsewhere (\(code))")
            }
        }
    }
    // InAnApp.md ends

    // Operations.md begins
    static func settle(_ service: AuthService, _ report: (String) -> Void) async throws {
        var last: Store.OperationID?
        while true {
            let failed = try await service.failedMessages(after: last, limit: 100)
            guard let end = failed.last else { return }
            for message in failed {
                report("never sent: \(message.entry.kind) for \(message.entry.account?.description ?? "")")
            }
            try await service.settleMessages(failed.map(\.entry.id))
            last = end.entry.id
        }
    }
    // Operations.md ends

    // Operations.md begins
    static func find(_ text: String, in service: AuthService) async throws -> Account? {
        if text.contains("@") { return try await service.account(email: text) }
        return try await service.account(phoneNumber: text)
    }
    // Operations.md ends

    // Operations.md begins
    static func personalData(
        of id: AccountID,
        sessions: [SessionInfo] = [],
        in service: AuthService
    ) async throws -> [String] {
        let account = try await service.account(id)
        var lines = ["account \(id), made at \(account.createdAt.date)"]
        lines += [account.displayName, account.photoURL].compactMap(\.self)
        let addresses = [account.email, account.firstEmail] + account.reservations.map(\.email)
        lines += addresses.compactMap(\.self).map { "address \($0)" }
        lines += account.evidence.map { "\($0.subject) by \($0.source), \($0.firstAt.date) to \($0.lastAt.date)" }
        for method in account.providerData {
            let parts = [method.uid, method.email, method.displayName, method.photoURL].compactMap(\.self)
            lines.append("signs in by \(method.provider): " + parts.joined(separator: ", "))
        }
        lines += account.methods.compactMap(\.identity?.username).map { "user name \($0)" }
        lines += account.factors.map { factor in
            let number = factor.phoneNumber?.description ?? "an authenticator app"
            return "second factor \(number), \(factor.displayName ?? "without a name"), since \(factor.enrolledAt.date)"
        }
        let claims = try JSONEncoder().encode(account.customClaims)
        lines.append("claims " + String(decoding: claims, as: UTF8.self))
        lines += sessions.map { session in
            let device = session.deviceName ?? "an unnamed device"
            return "session since \(session.creationDate) on \(device) from \(session.origin ?? "unknown")"
        }
        var page = try await service.events()
        while let last = page.events.last {
            lines += page.events.filter { $0.account == id }.map { "\($0.kind) at \($0.at.date)" }
            page = try await service.events(after: last.position)
        }
        return lines
    }
    // Operations.md ends

    // Operations.md begins
    static func endAllSessions(in service: AuthService) async throws {
        var page = try await service.accounts()
        while let last = page.last {
            for account in page where !account.isAnonymous {
                do throws(AuthError) { try await service.revokeSessions(of: account.id) } catch {
                    // A deletion that was due is carried out first.
                    guard error.code == .userNotFound else { throw error }
                }
            }
            page = try await service.accounts(after: last.id)
        }
    }
    // Operations.md ends

    // ChoosingAPolicy.md begins
    static func readPolicy(from file: Data, denying isDenied: (any PasswordBlocklist)?) throws -> AuthConfiguration {
        let policy = try JSONDecoder().decode(AuthPolicy.self, from: file)
        var configuration = AuthConfiguration(policy: policy)
        configuration.passwordBlocklist = isDenied
        configuration.normalizePassword = { $0.precomposedStringWithCompatibilityMapping }
        return configuration
    }
    // ChoosingAPolicy.md ends
}
