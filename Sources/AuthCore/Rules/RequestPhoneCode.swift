#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends digits to a number.
package struct RequestPhoneCode: Operation {
    package typealias Outcome = CapabilityKey

    package let number: PhoneNumber
    package let code: IssuedCode

    package init(number: PhoneNumber, code: IssuedCode) {
        self.number = number
        self.code = code
    }

    package var query: SnapshotQuery {
        var query = SnapshotQuery()
        query.phone = number
        return query
    }

    package func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<CapabilityKey> {
        if let refusal = ruling.policy.refusal(of: .phone) { return refuse(refusal, by: ruling) }
        // Where strangers learn nothing, only who has the digits is told of factors, by the sign-in.
        if ruling.policy.disclosure == .detailed, ruling.policy.phoneWithFactors == .refused,
            let owner = snapshot.phoneOwner?.account, !owner.activeFactors.isEmpty
        {
            return refuse(Refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere), by: ruling)
        }
        var draft = Draft(ruling)
        draft.reasons.append(.numberWillProve)
        draft.issuePhoneCode(code, to: number, for: .method, account: nil)
        return draft.granted(code.key)
    }
}
