/// Makes sequences of steps at random: the likely ones oftener, and oftener what goes through than what is refused.
struct StepGenerator {
    private var random: SplitMix
    private var model: NaiveModel

    init(_ rules: Rules, seed: UInt64) {
        random = SplitMix(state: seed)
        model = NaiveModel(rules)
    }

    mutating func steps(_ count: Int) -> [Step] {
        var steps: [Step] = []
        while steps.count < count {
            for step in chance(12) ? story() : [likelyStep()] {
                _ = model.take(step)
                steps.append(step)
            }
        }
        return Array(steps.prefix(count))
    }

    /// A step that goes through, if one of a few does, or else the last that does anything at all.
    private mutating func likelyStep() -> Step {
        var best = step()
        for _ in 0..<(chance(70) ? 5 : 1) {
            let next = step()
            var foreseen = model
            switch foreseen.take(next) {
            case .granted: return next
            case .refused: best = next
            case .nothing: break
            }
        }
        return best
    }

    /// Steps that rarely come about one after the other by chance.
    private mutating func story() -> [Step] {
        let (device, mailbox, password) = (device(), mailbox(), password())
        let proof: [Step] = [.askForVerification(device), .open(code: 0, device)]
        let google = Authentication.provider(.google, subject: 1, .gmail, .verified)
        let other = Authentication.provider(.google, subject: 2, .gmail, .verified)
        return switch Int.random(in: 0..<10, using: &random) {
        case 0: [.signUp(device, mailbox, password)] + proof
        case 1: [.askForReset(mailbox), .reset(code: 0, password)]
        case 2: [.askForChange(device, mailbox), .open(code: 0, device)]
        case 3: proof + [.enroll(device), .wait(seconds: pick([60, 400])), .unenroll(device)]
        case 4: [.signUp(device, .gmail, .horse)] + proof + [.signIn(.tablet, google, answers: true)]
        case 5:
            [.reauthenticate(.tablet, google, answers: true), .unlink(.tablet, .google)]
                + [.signIn(.phone, google, answers: true), .signIn(.phone, other, answers: true)]
        case 6: [.setDisabled(true, person: 1), .setDisabled(false, person: 1)]
        case 7: [.askForChange(device, mailbox), .updatePassword(device, password), .open(code: 0, device)]
        case 8:
            [.signIn(.phone, other, answers: true), .link(device, .digits(.first), answers: true)]
                + [.wait(seconds: 100 * 86400), .signIn(.laptop, .digits(.first), answers: true)]
        default: [.link(device, authentication(), answers: true), .link(device, authentication(), answers: true)]
        }
    }
}

extension StepGenerator {
    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func device() -> Device { pick([.phone, .phone, .laptop, .tablet]) }
    private mutating func mailbox() -> Mailbox { pick([.gmail, .ann, .ann, .ben]) }
    private mutating func password() -> Password { pick([.horse, .horse, .horse, .staple, .staple, .seven, .tiny]) }
    private mutating func digits() -> Digits { pick([.first, .first, .second]) }
    private mutating func answers() -> Bool { chance(80) }
    private mutating func code() -> Int { pick([0, 0, 0, 1, 2]) }

    private mutating func authentication() -> Authentication {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<25: return .password(mailbox(), password())
        case ..<45: return .mail(mailbox())
        case ..<57: return .digits(digits())
        case ..<98:
            let saying: Saying = pick([.verified, .verified, .silent, .noAddress])
            return .provider(pick(Site.federated), subject: pick([1, 1, 2]), mailbox(), saying)
        default: return .anonymous
        }
    }

    private mutating func step() -> Step {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<5: .signUp(device(), mailbox(), password())
        case ..<8: .signIn(device(), .anonymous, answers: true)
        case ..<28: .signIn(device(), authentication(), answers: answers())
        case ..<44: .link(device(), authentication(), answers: answers())
        case ..<49: .replace(device(), pick(Site.allCases), authentication(), answers: answers())
        case ..<57: .reauthenticate(device(), authentication(), answers: answers())
        case ..<62: .unlink(device(), pick(Site.allCases))
        case ..<66: .updateEmail(device(), mailbox())
        case ..<70: .updatePassword(device(), password())
        case ..<74: .askForVerification(device())
        case ..<77: .askForChange(device(), mailbox())
        case ..<80: .askForReset(mailbox())
        case ..<86: .open(code: code(), device())
        case ..<89: .reset(code: code(), password())
        case ..<91: .enroll(device())
        case ..<93: .unenroll(device())
        case ..<94: .signOut(device())
        case ..<95: .delete(device())
        case ..<96: .setDisabled(chance(40), person: pick([1, 1, 2, 3]))
        default: .wait(seconds: pick([60, 400, 400, 4000, 8 * 86400, 15 * 86400, 100 * 86400, 400 * 86400]))
        }
    }
}
