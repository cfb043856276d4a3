import AuthCore
import AuthCoreTesting
import Foundation

/// What a process does on a store besides signing people up: its name says so, and its clock stands at 2026 in UTC.
enum Role: String {
    /// Guesses Ann's password on unknown devices, one guess after the other.
    case guesser
    /// Sends the messages that are due; from the third on, its mail server never answers.
    case sender
    /// Signs people in where there is little room.
    case squeezed

    /// Goes on until the process ends.
    func play(on configuration: AuthConfiguration) async throws {
        var configuration = configuration
        let now = ManualClock().now
        configuration.environment = AuthEnvironment(clock: { now })
        configuration.passwordHasher = CheapPasswordHasher()
        configuration.messageSender = SilentMailServer()
        let service = AuthService(configuration)
        switch self {
        case .guesser:
            StoreProcess.report("ready")
            // All begin at the same time, when the test says so.
            _ = readLine()
            while true {
                do throws(AuthError) {
                    let guess = AuthCredential.password(email: "ann@example.com", password: "a wrong guess")
                    _ = try await service.client(for: nil, origin: .local).signIn(with: guess)
                } catch {
                    StoreProcess.report("guess \(error.code.name)")
                }
            }
        case .squeezed: try await SqueezedProcess.run(on: configuration)
        case .sender:
            while true { try await service.deliverPendingMessages() }
        }
    }
}

/// Takes two messages, and does not answer from then on.
private actor SilentMailServer: MessageSender {
    private var taken = 0

    func send(_ message: Message) async throws {
        StoreProcess.report("sending \(message.id)")
        taken += 1
        if taken > 2 { try await Task.sleep(for: .seconds(3600)) }
    }
}
