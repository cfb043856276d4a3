@testable import AuthCore
import AuthCoreTesting

/// One thing that a person does on a device, an administrator does, or time does.
///
/// A trace is printed as the Swift that makes it, so that it can be pasted into a test and played again.
enum Step: Hashable, Sendable {
    case signUp(Device, Mailbox, Password)
    case signIn(Device, Authentication, answers: Bool)
    case link(Device, Authentication, answers: Bool)
    case replace(Device, Site, Authentication, answers: Bool)
    case reauthenticate(Device, Authentication, answers: Bool)
    case unlink(Device, Site)
    case updateEmail(Device, Mailbox)
    case updatePassword(Device, Password)
    case askForVerification(Device)
    case askForChange(Device, Mailbox)
    case askForReset(Mailbox)
    /// Opens a mailed code, counted from the newest, on a device where a person may be signed in.
    case open(code: Int, Device)
    /// Sets a password by a mailed code, counted from the newest.
    case reset(code: Int, Password)
    case enroll(Device)
    case unenroll(Device)
    case signOut(Device)
    case delete(Device)
    /// Shuts or opens the account that was made so many accounts ago.
    case setDisabled(Bool, person: Int)
    case wait(seconds: Int)
}

/// A device.
enum Device: String, CaseIterable, Sendable { case phone, laptop, tablet }

/// An address: one whose provider runs the mailbox, and two of a domain for which no provider is authoritative.
enum Mailbox: String, CaseIterable, Sendable {
    case gmail = "ann@gmail.com"
    case ann = "ann@example.com"
    case ben = "ben@example.com"
}

/// A password; the third is too short for one policy, the fourth for both.
enum Password: String, CaseIterable, Sendable {
    case horse = "correct horse"
    case staple = "battery staple"
    case seven = "sevenup"
    case tiny
}

/// A number.
enum Digits: String, CaseIterable, Sendable {
    case first = "+15550001111"
    case second = "+15550002222"
}

/// Where a method is listed.
enum Site: String, CaseIterable, Sendable {
    case google = "google.com"
    case facebook = "facebook.com"
    case gitHub = "github.com"
    case password, phone

    static let federated: [Site] = [.google, .facebook, .gitHub]
}

/// What a provider says of the address it gives.
enum Saying: CaseIterable, Sendable { case verified, silent, noAddress }

/// What a person presents.
enum Authentication: Hashable, Sendable {
    case password(Mailbox, Password)
    /// A link that is mailed and opened at once.
    case mail(Mailbox)
    /// Digits that are sent and typed at once.
    case digits(Digits)
    case provider(Site, subject: Int, Mailbox, Saying)
    case anonymous
}

extension Sequence<Step> {
    /// The steps as the Swift that makes them, one a line.
    var trace: String {
        // A payload is printed with its type's name, which the compiler infers.
        map { "    .\($0),\n".replacing(/AuthCoreTests\.\w+\./, with: ".") }.joined()
    }
}
