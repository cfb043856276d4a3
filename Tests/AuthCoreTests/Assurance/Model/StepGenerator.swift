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
        let (desk, mailbox, word) = (desk(), mailbox(), word())
        let proof: [Step] = [.askForVerification(desk), .open(code: 0, desk)]
        let google = Authentication.provider(.google, subject: 1, .gmail, .verified)
        let other = Authentication.provider(.google, subject: 2, .gmail, .verified)
        return switch Int.random(in: 0..<10, using: &random) {
        case 0: [.signUp(desk, mailbox, word)] + proof
        case 1: [.askForReset(mailbox), .reset(code: 0, word)]
        case 2: [.askForChange(desk, mailbox), .open(code: 0, desk)]
        case 3: proof + [.enroll(desk), .wait(seconds: pick([60, 400])), .unenroll(desk)]
        case 4: [.signUp(desk, .gmail, .horse)] + proof + [.signIn(.tablet, google, answers: true)]
        case 5:
            [.reauthenticate(.tablet, google, answers: true), .unlink(.tablet, .google)]
                + [.signIn(.phone, google, answers: true), .signIn(.phone, other, answers: true)]
        case 6: [.setDisabled(true, person: 1), .setDisabled(false, person: 1)]
        case 7: [.askForChange(desk, mailbox), .updatePassword(desk, word), .open(code: 0, desk)]
        case 8:
            [.signIn(.phone, other, answers: true), .link(desk, .digits(.first), answers: true)]
                + [.wait(seconds: 100 * 86400), .signIn(.laptop, .digits(.first), answers: true)]
        default: [.link(desk, authentication(), answers: true), .link(desk, authentication(), answers: true)]
        }
    }
}

extension StepGenerator {
    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func desk() -> Desk { pick([.phone, .phone, .laptop, .tablet]) }
    private mutating func mailbox() -> Mailbox { pick([.gmail, .ann, .ann, .ben]) }
    private mutating func word() -> Word { pick([.horse, .horse, .horse, .staple, .staple, .seven, .tiny]) }
    private mutating func digits() -> Digits { pick([.first, .first, .second]) }
    private mutating func answers() -> Bool { chance(80) }
    private mutating func code() -> Int { pick([0, 0, 0, 1, 2]) }

    private mutating func authentication() -> Authentication {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<25: return .password(mailbox(), word())
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
        case ..<5: .signUp(desk(), mailbox(), word())
        case ..<8: .signIn(desk(), .anonymous, answers: true)
        case ..<28: .signIn(desk(), authentication(), answers: answers())
        case ..<44: .link(desk(), authentication(), answers: answers())
        case ..<49: .replace(desk(), pick(Site.allCases), authentication(), answers: answers())
        case ..<57: .reauthenticate(desk(), authentication(), answers: answers())
        case ..<62: .unlink(desk(), pick(Site.allCases))
        case ..<66: .updateEmail(desk(), mailbox())
        case ..<70: .updatePassword(desk(), word())
        case ..<74: .askForVerification(desk())
        case ..<77: .askForChange(desk(), mailbox())
        case ..<80: .askForReset(mailbox())
        case ..<86: .open(code: code(), desk())
        case ..<89: .reset(code: code(), word())
        case ..<91: .enroll(desk())
        case ..<93: .unenroll(desk())
        case ..<94: .signOut(desk())
        case ..<95: .delete(desk())
        case ..<96: .setDisabled(chance(40), person: pick([1, 1, 2, 3]))
        default: .wait(seconds: pick([60, 400, 400, 4000, 8 * 86400, 15 * 86400, 100 * 86400, 400 * 86400]))
        }
    }
}
