import AuthCore
import AuthCoreSQLite
import AuthCoreTesting
import Foundation

/// Signs people up, links and unlinks their identities, and writes a line for each step that was answered.
///
/// Tests start it and kill it: `storeprocess STORE NAME`, where the name distinguishes the people of several processes.
@main
struct StoreProcess {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw Usage() }
        let service = AuthService(try await configuration(arguments[1]))
        let name = arguments[2]
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0... { try await live(as: "\(name)x\(task)x\(round)", on: service) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The steps of one person, in the order in which the test expects them.
    private static func live(as name: String, on service: AuthService) async throws {
        let person = SimulatedPerson(name: name, email: "\(name)@gmail.com")
        let now = Date()
        let client = AuthClient(service: service)
        let user = try await client.signIn(with: .simulated(.google, person, at: now)).user
        report(name, 1)
        for step in 2...5 {
            if step % 2 == 0 {
                try await user.link(with: .simulated(.gitHub, person, at: now))
            } else {
                try await user.unlink(.gitHub)
            }
            report(name, step)
        }
    }

    private static func report(_ name: String, _ step: Int) {
        FileHandle.standardOutput.write(Data("\(name) \(step)\n".utf8))
    }

    private static func configuration(_ store: String) async throws -> AuthConfiguration {
        #if SQLite
        if store.hasPrefix("sqlite:") {
            let store = try await SQLiteStore(path: String(store.dropFirst("sqlite:".count)))
            var configuration = AuthConfiguration(
                store: store,
                providers: .simulated,
                secretKey: Array(repeating: 7, count: 32)
            )
            configuration.attempts = store
            return configuration
        }
        #endif
        throw Usage()
    }

    struct Usage: Error {}
}
