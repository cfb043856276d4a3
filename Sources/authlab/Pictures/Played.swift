internal import AuthCore
internal import AuthCoreTesting

/// What the pictures read from a service in memory.
extension Stage {
    /// An account as the store has it now.
    func box(_ name: String, _ id: AccountID) async throws -> Picture.AccountBox {
        do throws(AuthError) {
            let account = try await service.account(id)
            var lines: [Picture.Line] = []
            if let email = account.email {
                let isVerified = service.isEmailVerified(account)
                lines.append(
                    Picture.Line(
                        text: email.text + (isVerified ? " ✓" : " (unverified)"),
                        hue: isVerified ? .green : nil
                    )
                )
            } else {
                lines.append(Picture.Line(text: "no address"))
            }
            lines += account.methods.map { method in
                let name = AccountPicture.name(method)
                return method.isActive
                    ? Picture.Line(text: "• " + name) : Picture.Line(text: "• \(name), suspended", hue: .orange)
            }
            return Picture.AccountBox(name: name, lines: lines)
        } catch {
            return Picture.AccountBox(name: name, lines: [Picture.Line(text: "closed: \(error.code)")], isGone: true)
        }
    }

    /// Makes an attempt, and says whether it reached an account.
    func result(
        _ account: AccountID,
        of attempt: () async throws(AuthError) -> AccountID
    ) async -> (isInside: Bool, words: String) {
        do throws(AuthError) {
            let reached = try await attempt()
            return reached == account ? (true, "is in Ann's account") : (false, "has an account of her own")
        } catch {
            let reason = (error.reason ?? error.trail.last).map { ", \($0)" } ?? ""
            return (false, "is refused: \(error.code)\(reason)")
        }
    }

    /// A link that is mailed to Ann, opened on a device.
    func openedLink(_ device: Auth) async throws(AuthError) -> AuthCredential.EmailLink {
        try await device.sendSignInLink(to: "ann@gmail.com")
        return AuthCredential.EmailLink(email: "ann@gmail.com", link: mailedLink(to: "ann@gmail.com"))
    }
}
