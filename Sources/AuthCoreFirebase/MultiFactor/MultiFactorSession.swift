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
    private let chosen = Mutex<String?>(nil)

    init(_ purpose: Purpose) { self.purpose = purpose }

    /// Stores which factor the person wants to use.
    func choose(_ factor: PhoneMultiFactorInfo) { chosen.withLock { $0 = factor.uid } }

    /// Sends a code to a number that will become a factor, or to the chosen factor.
    func sendCode(to phoneNumber: String) async throws -> String {
        switch purpose {
        case .enrollment(let user):
            return try await user.acting(loadsAccount: false) { user throws(AuthError) in
                try await user.multiFactor.sendPhoneCode(to: phoneNumber)
            }
        case .challenge(let challenge, let auth):
            guard let uid = chosen.withLock({ $0 }) else { throw NSError(.missingMultiFactorInfo) }
            guard let factor = SecondFactor.ID(uid) else { throw NSError(.multiFactorInfoNotFound) }
            do throws(AuthError) {
                return try await auth.client.sendPhoneCode(for: challenge, factor: factor)
            } catch {
                throw NSError(error)
            }
        }
    }
}
