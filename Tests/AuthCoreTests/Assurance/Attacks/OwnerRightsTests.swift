@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S13 and S18 to S21: whatever a thief with a stolen session does, in random order and for at most thirteen days, the
/// owner takes the account back by what she was mailed, read from the oldest or from the newest on.
///
/// Deletions for good are tried by what the thief added, for six days: a password is old enough for one after seven.
/// Accounts whose own address was never verified are left out.
final class OwnerRightsTests: LimitedTestCase {
    func testTheOwnerTakesTheAccountBackWhateverAThiefDidToIt() async throws {
        let thefts = try await parallelMap(0..<400) { seed in
            let theft = Theft(seed: UInt64(seed))
            try await theft.begin()
            try await theft.goOn()
            try await theft.endByTheOwner()
            return (theft.steps, try await theft.leftovers())
        }
        for (seed, (steps, leftovers)) in thefts.enumerated() {
            XCTAssertEqual(leftovers, [], "what the owner could not take back after \(steps.map(\.what)), seed \(seed)")
        }
        let counts = Dictionary(thefts.flatMap(\.0).map { ($0.kind, 1) }, uniquingKeysWith: +)
        for kind in Theft.Kind.allCases {
            XCTAssertGreaterThan(counts[kind, default: 0], 20, "too few steps go through: \(kind)")
        }
    }
}

/// An account of thirty days, and a thief who has a session in it that just logged in.
private final class Theft {
    enum Kind: CaseIterable { case link, unlink, replace, password, address, factor, deletion, report, wait }
    /// What is tried more often, since more of it is refused, and what ends the theft early, less often.
    private static let tried: [Kind] =
        Kind.allCases + Kind.allCases.filter { $0 != .factor && $0 != .deletion }
        + [.link, .link, .link, .link, .unlink, .replace, .replace, .report]
    typealias Step = (kind: Kind, what: String)

    private static let own = [ProviderID.google, .gitHub, .facebook, .phone, .emailLink]
    private static let mailboxes = ["eve@evil.example", "eve@other.example"]
    private let world = World(.weakened { $0.limits = nil })
    private let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
    private var random: SplitMix
    private let hasPassword: Bool
    private let hasGoogle: Bool
    /// Whether the owner also resets the password, which suspends what is new as well.
    private let resets: Bool
    /// Whether the owner reads the newest mail first.
    private let readsNewest: Bool
    private var stolen: User?
    private var sessions: [User] = []
    private var id: AccountID?
    private var end = Date.distantPast
    /// Whether the owner used a code at all; a thief who changes nothing keeps the session.
    private var isTold = false
    private(set) var steps: [Step] = []

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        hasPassword = seed % 3 != 0
        hasGoogle = seed % 3 != 1
        resets = seed % 2 == 0
        readsNewest = seed % 5 == 0
    }

    private var address: String { hasPassword ? "ann@example.com" : "ann@gmail.com" }

    private func pick<Choice>(_ choices: [Choice]) -> Choice { choices[Int(random.next() % UInt64(choices.count))] }

    private func wait(_ seconds: Double) { world.clock.advance(by: .seconds(seconds)) }

    func begin() async throws {
        let phone = world.device("phone")
        let google = world.google(gmail)
        let ann =
            hasPassword ? try await world.signUpVerifiedAnn(phone) : try await phone.signIn(with: google).user
        wait(60)
        if hasPassword, hasGoogle { try await ann.link(with: google) }
        id = ann.account.id
        wait(30 * world.day)
        end = world.clock.now.addingTimeInterval(13 * world.day)
        world.outbox.removeAll()
        let isByGoogle = hasGoogle && (!hasPassword || random.next() % 2 == 0)
        let credential = isByGoogle ? world.google(gmail) : World.annsPassword
        stolen = try await world.device("stolen").signIn(with: credential).user
    }

    // MARK: The thief

    func goOn() async throws {
        for _ in 0..<3 + Int(random.next() % 7) {
            for _ in 0..<8 {
                wait(10)
                if let step = try? await play(pick(Self.tried)) {
                    steps.append(step)
                    break
                }
            }
        }
    }

    private struct Impossible: Error {}

    /// A credential of the thief's own.
    private func credential(_ provider: ProviderID, in device: Auth) async throws -> AuthCredential {
        switch provider {
        case .phone: try await world.digits(to: world.evesNumber, from: device)
        case .emailLink: try await world.mailedLink(to: pick(Self.mailboxes), from: device)
        case .password: .password(email: pick([address] + Self.mailboxes), password: world.evesPassword)
        case .google: world.eveAtGoogle
        default: world.credential(provider, SimulatedPerson.eve.with(email: "eve@evil.example"))
        }
    }

    /// The stolen session, or a new one by something of the thief's own.
    private func enter() async throws -> (user: User, device: Auth) {
        if let stolen, random.next() % 2 == 0 { return (stolen, world.device("stolen")) }
        let device = world.device("eve")
        let user = try await device.signIn(with: credential(pick(Self.own + [.password]), in: device)).user
        if user.account.id != id { throw Impossible() }
        sessions.append(user)
        return (user, device)
    }

    private func play(_ kind: Kind) async throws -> Step {
        let (user, device) = try await enter()
        let old = pick([ProviderID.password] + Self.own)
        let new = pick(Self.own + [.password])
        let mailbox = pick(Self.mailboxes)
        switch kind {
        case .link: try await user.link(with: credential(new, in: device))
        case .unlink: try await user.unlink(old)
        case .replace: try await user.replace(old, with: credential(new, in: device))
        case .password: try await user.updatePassword(to: world.evesPassword)
        case .address:
            try await user.sendEmailVerification(beforeUpdatingTo: mailbox)
            try await user.applyActionCode(world.code(.changeEmail, to: mailbox))
        case .factor: try await world.enrollTOTP(user)
        case .deletion:
            if user !== stolen, end.timeIntervalSince(world.clock.now) > 7 * world.day {
                if (try? await user.delete(permanently: true)) != nil { break }
            }
            try await user.delete()
        case .report:
            let mails = world.outbox.messages.filter { !isOwners($0) && !$0.code.isEmpty }
            guard !mails.isEmpty else { throw Impossible() }
            let code = pick(mails).code
            do { try await device.applyActionCode(code) } catch {
                try await device.reportUnauthorizedChange(code: code)
            }
        case .wait:
            let seconds = pick([3600, world.day, 3 * world.day, 8 * world.day])
            if world.clock.now.addingTimeInterval(seconds) > end { throw Impossible() }
            wait(seconds)
        }
        // The owner has seven days to cancel a deletion.
        if kind == .deletion { end = min(end, world.clock.now.addingTimeInterval(6 * world.day)) }
        return (kind, "\(kind) \(user === stolen ? "stolen" : "own") \(old) \(new) \(mailbox)")
    }

    // MARK: The owner

    private func isOwners(_ message: Message) -> Bool {
        ["ann@example.com", "ann@gmail.com"].contains { message.recipient == .email(EmailAddress(normalized: $0)) }
    }

    func endByTheOwner() async throws {
        let mails = world.outbox.messages.filter { isOwners($0) && !$0.code.isEmpty }
        isTold = resets || !mails.isEmpty
        let device = world.device("mail")
        for _ in 0..<2 {
            for mail in readsNewest ? mails.reversed() : mails {
                if mail.kind == .recoverEmail {
                    try? await device.applyActionCode(mail.code)
                } else {
                    try? await device.reportUnauthorizedChange(code: mail.code)
                }
            }
            if resets { try? await world.reset(address) }
        }
    }

    /// What the owner could not take back.
    func leftovers() async throws -> [String] {
        guard let id, let account = try await world.storedAccount(id) else { return ["the account is gone"] }
        var leftovers: [String] = []
        if account.email?.text != address { leftovers.append("the address is \(account.email?.text ?? "none")") }
        if account.deletedUntil != nil { leftovers.append("the account will be deleted") }
        if resets, try await !isOwnerIn() { leftovers.append("the owner cannot sign in") }
        for user in [stolen].compactMap(\.self) + sessions {
            let isAlive = await world.succeeds { try await user.reload() }
            if isTold, isAlive, user.account.id == id { leftovers.append("a session") }
        }
        for method in account.methods where method.isActive {
            let isOwners = method.kind.isOfAddress || method.identity?.email?.text == "ann@gmail.com"
            if !isOwners { leftovers.append("\(method.kind.provider)") }
        }
        let word = AuthCredential.password(email: address, password: world.evesPassword)
        let isKnown = await world.succeeds { try await world.device("eve").signIn(with: word) }
        if isKnown { leftovers.append("the password") }
        return leftovers
    }

    /// Whether the owner signs in; a factor that has stood for three days is lost to her, and removed by the mailbox.
    private func isOwnerIn() async throws -> Bool {
        let device = world.device("owner")
        let word = AuthCredential.password(email: address, password: "anns own word")
        for _ in 0..<2 {
            if let user = try? await device.signIn(with: word).user { return user.account.id == id }
            let link = try await world.mailedLink(to: address, from: device).mailed
            _ = try? await device.recoverFromLostFactors(with: link)
            wait(73 * 3600)
            let next = try await world.mailedLink(to: address, from: device).mailed
            _ = try? await device.recoverFromLostFactors(with: next)
        }
        return false
    }
}
