import AuthCore
import AuthCoreTesting

/// A few people to whom all processes do random things at once.
enum SharedPeople {
    private static let people = (0..<6).map { SimulatedPerson(name: "Person \($0)", email: "person\($0)@example.com") }
    private static let providers: [ProviderID] = [.google, .gitHub, .facebook]

    /// Goes on until the process ends; a sign-in that was answered is told with its session.
    static func hammer(_ service: AuthService, as name: String) async {
        var generator = SeededGenerator(seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        let client = service.client(for: nil, origin: .local)
        var user: AuthCore.User?
        while true {
            let person = people[Int.random(in: 0..<people.count, using: &generator)]
            let provider = providers[Int.random(in: 0..<providers.count, using: &generator)]
            do throws(AuthError) {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0...2:
                    let signedIn = try await client.signIn(with: .simulated(provider, person)).user
                    StoreProcess.report("shared \(signedIn.session.id)")
                    user = signedIn
                case 3: user = try await client.signInAnonymously().user
                case 4, 5: _ = try await user?.link(with: .simulated(provider, person))
                case 6: user = try await user?.unlink(provider) ?? user
                default: _ = try await user?.delete()
                }
            } catch {
                if [.storeUnavailable, .outcomeUnknown].contains(error.code) {
                    StoreProcess.report("failed \(error.code.name)")
                    // Until the server is back, more attempts would only use up the processor.
                    try? await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }
}
