import AuthCore
import AuthCoreCrypto
import AuthCoreFoundation

/// Makes an account of a Firebase user, and records the members that the account cannot contain.
struct FirebaseReading {
    let user: ClaimValue
    let id: AccountID
    let options: ImportOptions
    private let service: AuthService
    private(set) var leftOut: [String] = []

    private static let texts: Set<String> = [
        "email", "passwordHash", "salt", "displayName", "photoUrl", "phoneNumber",
    ]
    private static let lists: Set<String> = ["providerUserInfo", "mfaInfo"]
    /// The members that are checked where they are read, and those that concern only sessions and hashes.
    private static let others: Set<String> = [
        "localId", "disabled", "createdAt", "lastSignedInAt", "lastLoginAt", "customAttributes",
        "lastRefreshAt", "validSince", "passwordUpdatedAt", "version",
    ]

    /// Returns the import entry of a user in the file.
    static func entry(
        _ user: FirebaseUser,
        options: ImportOptions,
        into service: AuthService
    ) -> ImportEntry {
        guard let content = user.content, let id = content["localId"]?.stringValue.flatMap(AccountID.init) else {
            return .problem(.unreadable, nil)
        }
        // A disabled account must not be imported as an enabled one because the value was not understood.
        if content.has("disabled"), content["disabled"]?.boolValue == nil { return .problem(.unsound("disabled"), id) }
        var reading = FirebaseReading(user: content, id: id, options: options, service: service)
        let imported = reading.account()
        // Nor must an account lose the second factor that protects it.
        let lacksFactor = imported.leftOut.contains { $0 == "mfaInfo" || $0.hasPrefix("mfaInfo[") && $0.hasSuffix("]") }
        if !options.leavesOutFactors, lacksFactor {
            return .problem(.unsound("mfaInfo"), id)
        }
        return .account(imported)
    }

    private init(user: ClaimValue, id: AccountID, options: ImportOptions, service: AuthService) {
        self.user = user
        self.id = id
        self.options = options
        self.service = service
    }

    private var policy: AuthPolicy { service.configuration.policy }

    private var now: Timestamp { service.configuration.environment.now }

    private mutating func account() -> ImportedAccount {
        let createdAt = min(date("createdAt") ?? now, now)
        let lastSignIn = date("lastSignedInAt") ?? date("lastLoginAt")
        // The last time at which the address and the number are known to have belonged to this person.
        let seenAt = max(createdAt, min(lastSignIn ?? createdAt, now))
        var account = Account(id: id, createdAt: createdAt)
        account.displayName = shortText("displayName")
        account.photoURL = shortText("photoUrl")
        account.isDisabled = bool("disabled")
        account.customClaims = claims()
        account.email = text("email").flatMap { self.email($0, "email") }
        addIdentities(to: &account)
        if let number = number() {
            if !leavesOut(number) { _ = account.add(.phone(number), at: createdAt) }
            // Its owner verified it all the same.
            account.noteImport(.phone(number), at: seenAt)
        }
        let isVerified = bool("emailVerified")
        if let email = account.email, isVerified { account.noteImport(.email(email), at: seenAt) }
        var password = password()
        let hasPasswordEntry =
            password != nil || entries("providerUserInfo").contains { $0["providerId"] == "password" }
        // One that the hasher cannot check is reported as it is in the file.
        let hasher = service.configuration.passwordHasher
        if account.email != nil, let hash = password.flatMap({ options.passwordHash?($0) }), hasher.canCheck(hash) {
            _ = account.add(.password(hash), at: createdAt)
            password = nil
        }
        // The file lists neither mailed links nor passwords of other schemes; an address alone must have used one of
        // them.
        if account.email != nil, account.methods.isEmpty || hasPasswordEntry && isVerified {
            _ = account.allowEmailLink(at: createdAt)
        }
        // Where an address may have several accounts, only the one that signs in by it reserves it.
        let isOnlyOne = policy.accountsPerEmail == .one
        account.reservesEmail =
            account.email != nil
            && (isOnlyOne && (policy.addressReservation == .everyAddress || isVerified) || hasPasswordEntry
                || account.methods.contains { $0.kind == .emailLink })
        addFactors(to: &account)
        let isKnown = ["email", "phoneNumber"].contains { text($0) != nil } || !entries("providerUserInfo").isEmpty
        account.isAnonymous = account.methods.isEmpty && !isKnown
        noteStrangeMembers()
        var imported = ImportedAccount(account)
        imported.lastSignIn = lastSignIn
        imported.password = password
        imported.leftOut = leftOut
        return imported
    }

    /// Records the members that are unknown, and those whose value has the wrong type.
    private mutating func noteStrangeMembers() {
        user.objectValue?.keys.sorted().forEach { name in
            guard user.has(name) else { return }
            let value = user[name]
            let isRead =
                Self.others.contains(name) || Self.texts.contains(name) && value?.stringValue != nil
                || Self.lists.contains(name) && value?.arrayValue != nil
                || name == "emailVerified" && value?.boolValue != nil
            if !isRead { leftOut.append(name) }
        }
    }

    // MARK: Sign-in methods

    private mutating func addIdentities(to account: inout Account) {
        for (index, entry) in entries("providerUserInfo").enumerated() {
            let provider = ProviderID(entry["providerId"]?.stringValue ?? "")
            if provider == .password || provider == .phone { continue }
            guard provider.isWellFormed, !provider.isReserved, let subject = entry["rawId"]?.stringValue,
                (1...1024).contains(subject.utf8.count), subject.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
                account.method(of: provider) == nil
            else {
                leftOut.append("providerUserInfo[\(index)]")
                continue
            }
            let key = Identity.Key(issuer: issuer(of: provider), subject: subject)
            let identity = Identity(
                key: key,
                provider: provider,
                email: entry["email"]?.stringValue.flatMap { email($0, "providerUserInfo[\(index)].email") },
                displayName: short(entry["displayName"]?.stringValue, "providerUserInfo[\(index)].displayName"),
                photoURL: short(entry["photoUrl"]?.stringValue, "providerUserInfo[\(index)].photoUrl"),
                username: short(entry["screenName"]?.stringValue, "providerUserInfo[\(index)].screenName")
            )
            _ = account.add(.federated(identity), at: account.createdAt)
        }
    }

    /// The issuer that the options name, or the only one of the service's verifier.
    private func issuer(of provider: ProviderID) -> String {
        if let named = options.issuers[provider] { return named }
        let verified = service.verifier(of: provider)?.issuers ?? []
        guard verified.count == 1, let only = verified.first, !only.contains("{tenantid}") else {
            return provider.rawValue
        }
        return only
    }

    private mutating func number() -> PhoneNumber? {
        let entry = entries("providerUserInfo").first { $0["providerId"] == "phone" }
        guard let text = text("phoneNumber") ?? entry?["phoneNumber"]?.stringValue ?? entry?["rawId"]?.stringValue
        else {
            return nil
        }
        let number = PhoneNumber(text)
        if number == nil { leftOut.append("phoneNumber") }
        return number
    }

    /// Leaves the number out, and notes that, if it is also a second factor and the policy wants another number there.
    ///
    /// The service would remove it later, but whether a mailed link is needed is decided before.
    private mutating func leavesOut(_ number: PhoneNumber) -> Bool {
        guard policy.phoneWithFactors == .asksForFactor,
            entries("mfaInfo").contains(where: { Self.factorNumber($0) == number })
        else { return false }
        leftOut.append("phoneNumber")
        return true
    }

    private static func factorNumber(_ entry: ClaimValue) -> PhoneNumber? {
        (entry["unobfuscatedPhoneInfo"]?.stringValue ?? entry["phoneInfo"]?.stringValue).flatMap(PhoneNumber.init)
    }

    private func password() -> UnverifiablePassword? {
        guard let hash = text("passwordHash") else { return nil }
        return UnverifiablePassword(account: id, hash: hash, salt: text("salt"))
    }

    // MARK: Factors

    private mutating func addFactors(to account: inout Account) {
        for (index, entry) in entries("mfaInfo").enumerated() {
            guard let number = Self.factorNumber(entry) else {
                leftOut.append("mfaInfo[\(index)]")
                continue
            }
            let name = entry["mfaEnrollmentId"]?.stringValue ?? "\(index)"
            let enrolledAt = entry["enrolledAt"].flatMap(Timestamp.init(firebase:))
            if enrolledAt == nil, entry.has("enrolledAt") { leftOut.append("mfaInfo[\(index)].enrolledAt") }
            let factor = account.addFactor(
                .phone(number),
                named: short(entry["displayName"]?.stringValue, "mfaInfo[\(index)].displayName"),
                id: SHA256.leadingBits(of: "factor\u{0}\(id)\u{0}\(name)\u{0}\(index)"),
                at: enrolledAt ?? account.createdAt
            )
            // The file does not say when a method was added, and only one that is older than the factors may replace
            // them.
            for place in account.methods.indices {
                account.methods[place].seniorSince = max(account.methods[place].seniorSince, factor.enrolledAt)
            }
        }
    }

    // MARK: Members

    private func text(_ name: String) -> String? {
        user[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    private mutating func shortText(_ name: String) -> String? { short(text(name), name) }

    /// The text; nil for one that a service would not keep, such as a whole picture in place of its address.
    private mutating func short(_ text: String?, _ name: String) -> String? {
        guard let text, text.utf8.count > 2048 || text.utf8.contains(0) else { return text }
        leftOut.append(name)
        return nil
    }

    private func bool(_ name: String) -> Bool { user[name]?.boolValue ?? false }

    private func entries(_ name: String) -> [ClaimValue] { user[name]?.arrayValue ?? [] }

    private mutating func date(_ name: String) -> Timestamp? {
        guard user.has(name), let value = user[name] else { return nil }
        let date = Timestamp(firebase: value)
        if date == nil { leftOut.append(name) }
        return date
    }

    private mutating func email(_ text: String, _ name: String) -> EmailAddress? {
        let email = EmailAddress(text)
        if email == nil { leftOut.append(name) }
        return email
    }

    private mutating func claims() -> [String: ClaimValue] {
        guard let value = user["customAttributes"], !value.isNull, value != "" else { return [:] }
        let claims = value.stringValue.map { ClaimValue(json: Array($0.utf8)) } ?? value
        guard var members = claims?.objectValue else {
            leftOut.append("customAttributes")
            return [:]
        }
        for name in members.keys.sorted() where TokenClaims.reserved.contains(name) {
            members[name] = nil
            leftOut.append("customAttributes.\(name)")
        }
        guard TokenClaims.areAcceptable(members) else {
            leftOut.append("customAttributes")
            return [:]
        }
        return members
    }
}

extension Account {
    /// Records what was verified in the other system, according to the import.
    fileprivate mutating func noteImport(_ subject: Evidence.Subject, at date: Timestamp) {
        note(subject, .imported(trusted: false), at: date)
        wasEverVerified = true
    }
}

extension ClaimValue {
    /// Returns whether there is a value other than null for the key.
    fileprivate func has(_ key: String) -> Bool { self[key].map { !$0.isNull } ?? false }
}

extension Timestamp {
    /// Milliseconds since 1970, as a number or as its digits, or a time in the format of RFC 3339.
    fileprivate init?(firebase value: ClaimValue) {
        if let milliseconds = value.integerValue ?? value.stringValue.flatMap({ Int64($0) }) {
            self.init(milliseconds: milliseconds)
            guard self.milliseconds == milliseconds else { return nil }
            return
        }
        guard let text = value.stringValue, text.utf8.count <= 40 else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.utf8.contains(UInt8(ascii: ".")))
        guard let date = try? style.parse(text) else { return nil }
        self.init(date)
    }
}
