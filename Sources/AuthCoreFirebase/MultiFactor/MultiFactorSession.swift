internal import AuthCore
public import Foundation
internal import Synchronization

/// The enrollment or the sign-in that a code is sent for.
open class MultiFactorSession: NSObject {
    enum Purpose {
        /// The user enrolls a factor.
        case enrollment(User)
        /// A sign-in requires a factor.
        case challenge(SecondFactor.Challenge, Auth)
    }

    let purpose: Purpose
    /// The ID of the factor that was chosen last.
    private let chosen = Mutex<String?>(nil)

    init(_ purpose: Purpose) { self.purpose = purpose }

    /// Sends a code to a number that will become a factor, or to a factor: this one, or the one that was chosen last.
    func sendCode(to phoneNumber: String, of factor: PhoneMultiFactorInfo?) async throws -> String {
        switch purpose {
        case .enrollment(let user):
            return try await user.acting(loadsAccount: false) { user throws(AuthError) in
                try await user.multiFactor.sendPhoneCode(to: phoneNumber)
            }
        case .challenge(let challenge, let auth):
            let choice = chosen.withLock { chosen in
                chosen = factor?.uid ?? chosen
                return chosen
            }
            guard let uid = choice else { throw NSError(.missingMultiFactorInfo) }
            guard let factor = SecondFactor.ID(uid) else { throw NSError(.multiFactorInfoNotFound) }
            return try await auth.asking { client throws(AuthError) in
                try await client.sendPhoneCode(for: challenge, factor: factor)
            }
        }
    }
}
