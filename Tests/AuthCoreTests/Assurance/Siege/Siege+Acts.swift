@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting

/// What came of an act.
enum SiegeOutcome: Equatable, Sendable {
    /// There was nothing to do it with.
    case nothing
    case done
    /// It gave its party a session of this account.
    case entered(AccountID)
    case refused(AuthErrorCode)
}

extension SiegeOutcome {
    /// The outcome without the account's ID.
    var kind: String {
        switch self {
        case .nothing: "nothing"
        case .done: "done"
        case .entered: "entered"
        case .refused(let code): code.name
        }
    }
}

extension Siege {
    func play(_ act: SiegeAct) async -> SiegeOutcome {
        do {
            return try await perform(act)
        } catch let error as AuthError {
            if let place = act.place { refused(act, place, error) }
            return .refused(error.code)
        } catch {
            return .refused(.internalError)
        }
    }

    private func perform(_ act: SiegeAct) async throws -> SiegeOutcome {
        let service = world.service
        switch act {
        case .wait(let seconds):
            world.clock.advance(by: .seconds(Double(seconds)))
            return .done
        case .upkeep:
            try await service.deliverPendingMessages()
            try await service.sweep()
            return .done
        case .plant: return try await plant()
        case .usePlanted: return try await usePlanted()
        default: break
        }
        guard let place = act.place else { return .nothing }
        if let outcome = try await performSignedOut(act, at: place) { return outcome }
        guard let user = user(place) else { return .nothing }
        let outcome = try await perform(act, as: user, at: place)
        if outcome == .done { acted(place, user) }
        return outcome
    }

    /// What needs no session; nil for what does.
    private func performSignedOut(_ act: SiegeAct, at place: Place) async throws -> SiegeOutcome? {
        let (client, party) = (client(place), place.party)
        switch act {
        case .signUp(_, let target):
            return entered(place, try await client.signUp(email: target.email, password: password(party)))
        case .guest: return entered(place, try await client.signInAnonymously())
        case .password(_, let target, let isOwn):
            var word = isOwn ? password(party) : "a guess \(next())"
            if !isOwn, seen.isPasswordKnown, try await hasFactor(.ann), next() % 2 == 0 { word = password(.ann) }
            return entered(place, try await client.signIn(with: .password(email: target.email, password: word)))
        case .google: return entered(place, try await client.signIn(with: google(party)))
        case .claim(_, let target):
            let person = SimulatedPerson(name: "\(party)", email: party.email)
            let token = SimulatedToken(email: .text(target.email), address: .unverified)
            let credential = world.credential("oidc.example", person, saying: token)
            return entered(place, try await client.signIn(with: credential))
        case .askLink(_, let target): try await client.sendSignInLink(to: target.email)
        case .openLink:
            try await client.sendSignInLink(to: party.email)
            guard let link = newest(party, [.signInLink])?.link else { return .nothing }
            return entered(place, try await client.signIn(with: .emailLink(email: party.email, link: link)))
        case .askReset(_, let target): try await client.sendPasswordReset(to: target.email)
        case .reset: return try await reset(at: place)
        case .resetByGuess:
            try await client.confirmPasswordReset(code: "a code \(next())", newPassword: password(party))
        case .askMethods(_, let target): try await client.sendSignInMethods(to: target.email)
        case .askDigits(_, let target):
            try await ask(target, at: place)
        case .digits(_, let other, let isRight):
            if isRight { try await ask(party, at: place) }
            guard let credential = digits(of: other, for: party, isRight: isRight) else { return .nothing }
            return entered(place, try await client.signIn(with: credential))
        case .answer(_, let isRight): return try await answer(at: place, isRight: isRight)
        case .recoveryCode:
            guard let challenge = seen.challenges[place] else { return .nothing }
            let guess = SecondFactor.Assertion.recoveryCode("aaaa-bbbb-cccc-\(1000 + next() % 9000)")
            return entered(place, try await client.resolve(challenge, with: guess))
        case .resolve(_, let isOwn):
            guard let conflict = seen.conflicts[place] else { return .nothing }
            let word = isOwn ? password(party) : "a guess \(next())"
            let email = conflict.email ?? party.email
            return entered(
                place,
                try await client.resolve(conflict, signingInWith: .password(email: email, password: word))
            )
        case .open: return try await open(at: place)
        case .report:
            guard let message = world.outbox.messages.last(where: { $0.isNotice(to: party) }) else { return .nothing }
            try await client.reportUnauthorizedChange(code: message.code)
        case .refresh, .replay:
            let isReplay = if case .replay = act { true } else { false }
            guard let token = isReplay ? seen.formerRefreshToken[place] : seen.tokens[place]?.refreshToken
            else { return .nothing }
            let next = try await client.refresh(token)
            change { state in
                state.formerRefreshToken[place] = token
                state.tokens[place] = next
            }
        case .merge:
            let google = try await client.verify(google(party))
            let word = try await client.verify(.password(email: party.email, password: password(party)))
            return entered(place, try await client.merge(.verified(google), into: .verified(word)).result)
        default: return nil
        }
        return .done
    }

    private func perform(_ act: SiegeAct, as user: User, at place: Place) async throws -> SiegeOutcome {
        let party = place.party
        switch act {
        case .linkPassword(_, let target):
            try await user.link(with: .password(email: target.email, password: password(party)))
        case .linkGoogle:
            let nonce = try await user.nonce(for: .link)
            try await user.link(with: google(party, nonce: nonce))
        case .linkDigits:
            try await ask(party, at: place)
            guard let credential = digits(of: place, for: party, isRight: true) else { return .nothing }
            try await user.link(with: credential)
        case .unlink(_, let provider): try await user.unlink(ProviderID(provider))
        case .newPassword:
            let word = "word \(next()) of \(party)"
            try await user.updatePassword(to: word)
            change { $0.passwords[party] = word }
        case .reauthenticate:
            guard let email = user.email else { return .nothing }
            try await user.reauthenticate(with: .password(email: email, password: password(party)))
        case .enroll:
            let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
            try await user.multiFactor.enroll(enrollment, code: try world.totp(enrollment))
            guard let id = user.multiFactor.enrolledFactors.last?.id else { return .nothing }
            let step = TimeBasedCode().step(at: world.clock.timestamp.seconds)
            change { state in
                state.apps[party, default: []].append(App(id: id, enrollment: enrollment))
                state.lastStep[party] = step
            }
        case .unenroll:
            if party == .ann, seen.isPasswordKnown { return .nothing }
            guard let factor = user.multiFactor.enrolledFactors.first else { return .nothing }
            try await user.multiFactor.unenroll(factor.id)
        case .askVerification: try await user.sendEmailVerification()
        case .askChange(_, let target): try await user.sendEmailVerification(beforeUpdatingTo: target.email)
        case .tokens:
            let tokens = try await user.issueTokens()
            change { state in
                state.formerRefreshToken[place] = state.tokens[place]?.refreshToken
                state.tokens[place] = tokens
            }
        case .revokeOthers: try await user.revokeOtherSessions()
        case .signOut:
            try await user.signOut()
            change { $0.users[place] = nil }
            return .nothing
        case .delete:
            try await user.delete()
            change { $0.users[place] = nil }
            return .nothing
        default: return .nothing
        }
        return .done
    }

    private func entered(_ place: Place, _ result: AuthResult) -> SiegeOutcome {
        let _: Void = entered(place, result)
        return .entered(result.user.account.id)
    }

    /// Whether the account that has the party's address requires a second factor.
    private func hasFactor(_ party: Party) async throws -> Bool {
        try await !(owner(of: party)?.activeFactors.isEmpty ?? true)
    }

    /// Asks for digits, which go to the party's number.
    private func ask(_ party: Party, at place: Place) async throws {
        let id = try await client(place).sendPhoneCode(to: party.number)
        change { $0.digits[place] = SentDigits(id: id, number: party.number) }
    }

    /// Digits that were sent for a browser: those in a message to the party, or wrong ones.
    private func digits(of place: Place, for party: Party, isRight: Bool) -> AuthCredential? {
        guard let asked = seen.digits[place] else { return nil }
        let (id, number) = (asked.id, asked.number)
        let sent = world.outbox.last(to: number)?.code ?? ""
        if isRight, number == party.number { return .phone(verificationID: id, code: sent) }
        return .phone(verificationID: id, code: sent == "000000" ? "000001" : "000000")
    }

    private func reset(at place: Place) async throws -> SiegeOutcome {
        guard let message = newest(place.party, [.resetPassword]) else { return .nothing }
        let word = "word \(next()) of \(place.party)"
        let report = try await client(place).confirmPasswordReset(code: message.code, newPassword: word)
        change { state in
            state.passwords[place.party] = word
            if let device = report.device {
                state.clients[place] = self.world.service.client(for: device, origin: .address(place.origin))
            }
            if place.party == .ann, let account = message.account { state.anns.insert(account) }
        }
        return .done
    }

    private func answer(at place: Place, isRight: Bool) async throws -> SiegeOutcome {
        let (state, party) = (seen, place.party)
        guard let challenge = state.challenges[place] else { return .nothing }
        var code = "000000"
        if isRight {
            let app = state.apps[party]?.last { app in challenge.hints.contains { $0.id == app.id } }
            let step = TimeBasedCode().step(at: world.clock.timestamp.seconds)
            guard let app, state.lastStep[party].map({ $0 < step }) ?? true else { return .nothing }
            code = try world.totp(app.enrollment)
            change { $0.lastStep[party] = step }
        }
        return entered(place, try await client(place).resolve(challenge, with: .totp(code)))
    }

    /// The victim opens only what is about an account of hers; an attacker opens everything.
    private func open(at place: Place) async throws -> SiegeOutcome {
        guard let message = newest(place.party, [.verifyEmail, .changeEmail, .recoverEmail]) else { return .nothing }
        if place.party == .ann, message.account.map({ !seen.anns.contains($0) }) ?? true { return .nothing }
        if let user = user(place) {
            try await user.applyActionCode(message.code)
        } else {
            try await client(place).applyActionCode(message.code)
        }
        return .nothing
    }

    private func plant() async throws -> SiegeOutcome {
        let eve = client(.cafe)
        let guest = try await eve.signInAnonymously().user
        let tokens = try await guest.issueTokens()
        let kiosk = world.service.client(for: eve.device, origin: .address(Place.kiosk.origin))
        let user = try await kiosk.user(forIDToken: tokens.idToken.token)
        change { state in
            state.planted = Planted(device: eve.device, tokens: tokens)
            state.clients[.kiosk] = kiosk
            state.users[.kiosk] = user
        }
        return .done
    }

    private func usePlanted() async throws -> SiegeOutcome {
        guard let planted = seen.planted else { return .nothing }
        let client = world.service.client(for: planted.device, origin: .address(Place.cafe.origin))
        if let user = try? await client.user(forIDToken: planted.tokens.idToken.token) {
            return .entered(user.account.id)
        }
        let next = try await client.refresh(planted.tokens.refreshToken)
        change { $0.planted = Planted(device: planted.device, tokens: next) }
        return .entered(try await client.user(forIDToken: next.idToken.token).account.id)
    }
}

extension Message {
    fileprivate func isNotice(to party: Party) -> Bool {
        guard case .email(let address) = recipient, address.text == party.email else { return false }
        return kind.isNotice && !code.isEmpty
    }
}
