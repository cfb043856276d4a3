@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation

/// The library itself, played step by step.
final class PlayedLibrary {
    /// What came of a step.
    enum Outcome: Equatable {
        case nothing
        case granted(AccountID? = nil, isNew: Bool = false)
        case refused(AuthErrorCode)
    }

    let world: World
    private(set) var users: [Device: User] = [:]
    /// Every account in the order they were made.
    private(set) var accounts: [AccountID] = []
    /// The codes that were mailed for anything but a sign-in, oldest first.
    private(set) var codes: [String] = []
    /// What previews said otherwise than it came, in words.
    private(set) var mistakes: [String] = []
    private var apps: [AccountID: [(id: SecondFactor.ID, seed: [UInt8])]] = [:]
    private let start: Timestamp

    init(_ policy: AuthPolicy) {
        world = World(policy)
        start = world.clock.timestamp
    }

    func play(_ step: Step) async throws -> Outcome {
        world.outbox.removeAll()
        let outcome: Outcome
        do {
            outcome = try await perform(step)
        } catch let error as AuthError {
            outcome = .refused(error.code)
        }
        codes += world.outbox.messages.filter { Self.kinds.contains($0.kind) }.map(\.code)
        return outcome
    }

    private static let kinds: [Message.Kind] = [.verifyEmail, .changeEmail, .resetPassword, .recoverEmail]

    private func perform(_ step: Step) async throws -> Outcome {
        let service = world.service
        switch step {
        case .signUp(let device, let mailbox, let password):
            return openSession(
                try await service.client(context(device)).signUp(email: mailbox.rawValue, password: password.rawValue),
                at: device
            )
        case .signIn(let device, let authentication, let answers):
            return openSession(
                try await answering(answers, at: device) {
                    let client = service.client(context(device))
                    let verified = try await client.verify(credential(authentication, at: device))
                    return try await foreseen(await client.previewSignIn(with: verified)) {
                        try await client.signIn(with: verified)
                    }
                },
                at: device
            )
        case .askForReset(let mailbox):
            try await service.client().sendPasswordReset(to: mailbox.rawValue)
            return .granted()
        case .open(let place, let device):
            guard let code = code(place) else { return .nothing }
            try await service.client(context(device)).applyActionCode(code, openedIn: users[device]?.handle)
            return .granted()
        case .reset(let place, let password):
            guard let code = code(place) else { return .nothing }
            try await service.client().confirmPasswordReset(code: code, newPassword: password.rawValue)
            return .granted()
        case .setDisabled(let isDisabled, let person):
            guard accounts.indices.contains(person - 1),
                let account = try? await service.account(accounts[person - 1]),
                !account.isDue(at: world.clock.timestamp)
            else { return .nothing }
            _ = try await service.setDisabled(isDisabled, account: account.id)
            return .granted()
        case .wait(let seconds):
            world.clock.advance(by: .seconds(Double(seconds)))
            return .granted()
        default:
            guard let device = step.device, let user = users[device] else { return .nothing }
            return try await perform(step, as: user, at: device)
        }
    }

    private func perform(_ step: Step, as user: User, at device: Device) async throws -> Outcome {
        let service = world.service
        switch step {
        case .link(_, let authentication, let answers):
            return same(
                try await answering(answers, at: device) {
                    // As the others do, who may not ask for a code first.
                    try await user.reload()
                    let credential = try await credential(authentication, at: device)
                    // A new password is not verified, and so there is no preview.
                    if case .password = authentication { return try await user.link(with: credential) }
                    let verified = try await service.client(context(device)).verify(credential)
                    return try await foreseen(await user.previewLink(with: verified)) {
                        try await user.link(with: verified)
                    }
                },
                at: device
            )
        case .replace(_, let site, let authentication, let answers):
            return same(
                try await answering(answers, at: device) {
                    try await user.reload()
                    let credential = try await credential(authentication, at: device)
                    if case .password = authentication { return try await user.replace(site.id, with: credential) }
                    let verified = try await service.client(context(device)).verify(credential)
                    return try await foreseen(await user.previewReplace(site.id, with: verified)) {
                        try await user.replace(site.id, with: verified)
                    }
                },
                at: device
            )
        case .reauthenticate(_, let authentication, let answers):
            return same(
                try await answering(answers, at: device) {
                    try await user.reload()
                    return try await user.reauthenticate(with: try await credential(authentication, at: device))
                },
                at: device
            )
        case .unlink(_, let site):
            let user = try await foreseen(await user.previewUnlink(site.id)) { try await user.unlink(site.id) }
            return .granted(user.account.id)
        case .updateEmail(_, let mailbox): try await user.updateEmail(to: mailbox.rawValue)
        case .updatePassword(_, let password): try await user.updatePassword(to: password.rawValue)
        case .askForVerification: try await user.sendEmailVerification()
        case .askForChange(_, let mailbox): try await user.sendEmailVerification(beforeUpdatingTo: mailbox.rawValue)
        case .signOut: try await user.signOut()
        case .delete: try await user.delete()
        case .enroll: try await enroll(user)
        case .unenroll: return try await unenroll(user)
        default: return .nothing
        }
        return .granted()
    }
}

extension PlayedLibrary {
    private func code(_ place: Int) -> String? { place < codes.count ? codes[codes.count - 1 - place] : nil }

    private func context(_ device: Device) -> RequestContext {
        RequestContext(device: DeviceID(named: device.rawValue))
    }

    private func openSession(_ result: AuthResult, at device: Device) -> Outcome {
        let id = result.user.account.id
        if result.isNewUser { accounts.append(id) }
        users[device] = result.user
        return .granted(id, isNew: result.isNewUser)
    }

    private func same(_ result: AuthResult, at device: Device) -> Outcome {
        .granted(result.user.account.id, isNew: result.isNewUser)
    }

    /// Asks for a code where one is needed, and gives what its receiver would present.
    private func credential(_ authentication: Authentication, at device: Device) async throws -> AuthCredential {
        switch authentication {
        case .anonymous: return .anonymous
        case .password(let mailbox, let password):
            return .password(email: mailbox.rawValue, password: password.rawValue)
        case .mail(let mailbox):
            try await world.service.client(context(device)).sendSignInLink(to: mailbox.rawValue)
            let link = world.outbox.last(to: mailbox.rawValue, .signInLink)?.link ?? ""
            return .emailLink(email: mailbox.rawValue, link: link)
        case .digits(let digits):
            let id = try await world.service.client(context(device)).sendPhoneCode(to: digits.rawValue)
            return .phone(verificationID: id, code: world.outbox.last(to: digits.rawValue)?.code ?? "")
        case .provider(let site, let subject, let mailbox, let saying):
            var token = SimulatedToken(subject: "\(subject)", email: .text(mailbox.rawValue))
            switch saying {
            case .verified: token.address = .verified
            case .silent: token.address = .silent
            case .noAddress: token.email = .absent
            }
            return world.credential(site.id, saying: token)
        }
    }

    /// Answers the question for a second factor as the first factor's app would.
    private func answering(
        _ answers: Bool,
        at device: Device,
        _ body: () async throws -> AuthResult
    ) async throws -> AuthResult {
        do {
            return try await body()
        } catch let error as AuthError {
            guard answers, case .secondFactor(let challenge) = error.detail,
                let hint = challenge.hints.first(where: { !digits(of: $0.id).isEmpty })
            else { throw error }
            var refused = error
            // Whoever has several apps tries one after the other.
            for hint in [hint] + challenge.hints.filter({ $0.id != hint.id }) {
                do {
                    let answer = SecondFactor.Assertion.totp(digits(of: hint.id), factor: hint.id)
                    let result = try await world.service.client(context(device)).resolve(challenge, with: answer)
                    // The handle at the device learns what its session became.
                    if let user = users[device], user.session.id == result.user.session.id {
                        users[device] = result.user
                    }
                    return result
                } catch {
                    refused = error
                    if error.code != .invalidVerificationCode { throw error }
                }
            }
            throw refused
        }
    }

    /// Does what was previewed, and compares.
    private func foreseen<Result>(
        _ preview: @autoclosure () async throws -> Preview,
        _ act: () async throws -> Result
    ) async throws -> Result {
        let before = try await StoreView(of: world.store)
        let preview = try await preview()
        if try await StoreView(of: world.store) != before { mistakes.append("a preview changed something") }
        do {
            let result = try await act()
            if preview.answer != .succeeds { mistakes.append("goes through, and was previewed as: \(preview)") }
            if let result = result as? AuthResult,
                preview.account != (result.isNewUser ? nil : result.user.account.id)
            {
                mistakes.append("went to \(result.user.uid), and was previewed as: \(preview)")
            }
            return result
        } catch let error as AuthError {
            if preview.answer != .refused(error.code) || preview.reasons.last != error.reasons.last {
                mistakes.append("is refused (\(error.code), \(error.reasons)), and was previewed as: \(preview)")
            }
            throw error
        }
    }

    private func digits(of factor: SecondFactor.ID) -> String {
        guard let seed = apps.values.joined().first(where: { $0.id == factor })?.seed else { return "" }
        return TimeBasedCode().code(forStep: TimeBasedCode().step(at: world.clock.timestamp.seconds), secret: seed)
    }

    private func enroll(_ user: User) async throws {
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        let seed = Base32.decode(enrollment.sharedSecret) ?? []
        let code = TimeBasedCode().code(forStep: TimeBasedCode().step(at: world.clock.timestamp.seconds), secret: seed)
        try await user.multiFactor.enroll(enrollment, code: code)
        if let id = user.multiFactor.enrolledFactors.last?.id { apps[user.account.id, default: []].append((id, seed)) }
    }

    private func unenroll(_ user: User) async throws -> Outcome {
        try await user.reload()
        guard let factor = user.multiFactor.enrolledFactors.first else { return .nothing }
        try await user.multiFactor.unenroll(factor.id)
        return .granted()
    }
}

extension Account {
    /// Whether it is still there only because it was not looked at since its time ran out.
    func isDue(at now: Timestamp) -> Bool { deletedUntil.map { $0 <= now } ?? false }
}

extension Site {
    var id: ProviderID { ProviderID(rawValue) }
}

extension Step {
    /// Where it is done, if a signed-in person does it.
    var device: Device? {
        switch self {
        case .signUp(let device, _, _), .signIn(let device, _, _), .link(let device, _, _),
            .replace(let device, _, _, _),
            .reauthenticate(let device, _, _), .unlink(let device, _), .updateEmail(let device, _),
            .updatePassword(let device, _), .askForVerification(let device), .askForChange(let device, _),
            .open(_, let device), .enroll(let device), .unenroll(let device), .signOut(let device), .delete(let device):
            device
        case .askForReset, .reset, .setDisabled, .wait: nil
        }
    }
}
