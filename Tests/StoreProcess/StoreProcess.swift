import AuthCore
import AuthCorePostgres
import AuthCoreSQLite
import AuthCoreTesting
import Foundation

/// Works on a store as a service's process does, and writes a line for each step that was answered; tests kill it.
///
/// `storeprocess STORE NAME [SCHEMA]`: the store is `sqlite:PATH` or a connection string of libpq, and the name
/// distinguishes the people of several processes, or is a `Role`. On PostgreSQL half of the tasks do random things to
/// people whom all processes share, and one runs the races of the rules' tests for them.
@main
struct StoreProcess {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { throw Usage() }
        let configuration = try await configuration(arguments[1], schema: arguments.dropFirst(3).first)
        let name = arguments[2]
        if let role = Role(rawValue: name) { return try await role.play(on: configuration) }
        let service = AuthService(configuration)
        let isShared = !arguments[1].hasPrefix("sqlite:")
        try await withThrowingTaskGroup { group in
            if isShared { group.addTask { await SharedRaces.run(on: configuration.store, as: name) } }
            for task in 0..<4 {
                if isShared, task % 2 == 1 {
                    group.addTask { await SharedPeople.hammer(service, as: "\(name)x\(task)") }
                } else {
                    group.addTask {
                        for round in 0... {
                            do {
                                try await live(as: "\(name)x\(task)x\(round)", on: service)
                            } catch let error as AuthError where isShared {
                                // The server was away, so the outcome of the step is unknown; on with another person.
                                report("failed \(error.code.name)")
                                // Until the server is back, more attempts would only use up the processor.
                                try await Task.sleep(for: .milliseconds(20))
                            }
                        }
                    }
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
        report("\(name) 1")
        for step in 2...5 {
            if step % 2 == 0 {
                try await user.link(with: .simulated(.gitHub, person, at: now))
            } else {
                try await user.unlink(.gitHub)
            }
            report("\(name) \(step)")
        }
    }

    static func report(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func configuration(_ store: String, schema: String?) async throws -> AuthConfiguration {
        if store.hasPrefix("sqlite:") {
            #if SQLite
            let store = try await SQLiteStore(path: String(store.dropFirst("sqlite:".count)))
            return configuration(store)
            #endif
        } else if let schema {
            #if PostgreSQL
            var options = PostgresStore.Options()
            options.schema = schema
            options.connections = 4
            let store = try await PostgresStore(store, options: options)
            return configuration(store)
            #endif
        }
        throw Usage()
    }

    private static func configuration(_ store: some IdentityStore & AttemptStore) -> AuthConfiguration {
        let configuration = AuthConfiguration(
            store: store,
            providers: .simulated,
            secretKey: Array(repeating: 7, count: 32)
        )
        return configuration
    }

    struct Usage: Error {}
}
