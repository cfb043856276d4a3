internal import AuthCore
public import Foundation
internal import Synchronization

/// The enrolment or the sign-in that a code is sent for.
open class MultiFactorSession: NSObject {
    enum Purpose {
        /// The person enrols a factor.
        case enrolment(User)
        /// A sign-in asks for a factor.
        case challenge(SecondFactorChallenge, Auth)
    }

    let purpose: Purpose
    private let chosen = Mutex<String?>(nil)

    init(_ purpose: Purpose) { self.purpose = purpose }

    /// Notes which of the factors the person wants to show.
    func choose(_ factor: PhoneMultiFactorInfo) { chosen.withLock { $0 = factor.uid } }

    /// Sends a code to a number that is to become a factor, or to the factor that was chosen.
    func sendCode(to phoneNumber: String) async throws -> String {
        switch purpose {
        case .enrolment(let user):
            return try await user.acting { user throws(AuthError) in
                try await user.multiFactor.sendCode(to: phoneNumber)
            }
        case .challenge(let challenge, let auth):
            guard let uid = chosen.withLock({ $0 }) else { throw NSError(.missingMultiFactorInfo) }
            guard let factor = FactorID(uid) else { throw NSError(.multiFactorInfoNotFound) }
            do throws(AuthError) {
                return try await auth.client.sendPhoneCode(for: challenge, factor: factor)
            } catch {
                throw NSError(error, in: auth)
            }
        }
    }
}
