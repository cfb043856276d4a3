/// The order of the library's folders: a folder uses only itself and what is below it.
enum Layers {
    static let order: [Set<String>] = [
        ["Client"], ["Service"], ["UseCases"], ["Decision"], ["Proof"], ["Policy"], ["Store"],
        ["Credentials", "Crypto"],
        ["Model"],
    ]

    /// Beside the order: an implementation of the contract of Store, which only the service needs to know.
    private static let inMemory = "InMemory"

    /// Where no clock, no randomness and no waiting may be: what is decided depends on nothing but its facts.
    static let pure: Set<String> = ["Model", "Policy", "Proof", "Decision", "UseCases"]

    /// The folders that a folder may use besides itself; none if the order does not name it.
    static func below(_ folder: String) -> Set<String>? {
        if folder == inMemory { return below("Store")?.union(["Store"]) }
        guard let place = order.firstIndex(where: { $0.contains(folder) }) else { return nil }
        let below = order[(place + 1)...].reduce(into: Set<String>()) { $0.formUnion($1) }
        return ["Client", "Service"].contains(folder) ? below.union([inMemory]) : below
    }
}
