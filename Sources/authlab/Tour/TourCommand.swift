/// The command that plays sign-in flows in a terminal: `authlab tour`.
struct TourCommand: Sendable {
    static let list = Option(name: "--list", help: "list the scenes")
    static let only = Option(name: "--only", value: "NAME", help: "play one scene")
    static let step = Option(name: "--step", help: "wait for Return before each call")
    static let policy = Option(
        name: "--policy",
        value: "PRESET",
        help: "standard (default), firebase or firebaseProtected"
    )
    static let synopsis = Synopsis(
        name: "tour",
        summary: "Plays scenes from the life of an account.",
        options: [list, only, step, policy, StoreChoice.option],
        notes: [
            "A few scenes are about one policy, and are always played under it. The status is 1 if a scene does not go as "
                + "it says."
        ]
    )

    let isList: Bool
    private let isStepwise: Bool
    let store: StoreChoice
    var tour: Tour

    /// Reads the words after `tour`.
    init(arguments: [String], _ terminal: Terminal) throws(UsageError) {
        let arguments = try Self.synopsis.read(arguments)
        isList = arguments.has(Self.list)
        isStepwise = arguments.has(Self.step)
        store = try StoreChoice(arguments)
        tour = Tour(layout: NarrationLayout(isColored: terminal.isColored, width: terminal.width))
        if let name = arguments[Self.policy] { tour.policy = try NamedPolicy(preset: name) }
        if let name = arguments[Self.only] {
            let names = Tour.program.map(\.name)
            guard let scene = Tour.program.first(where: { $0.name == name }) else {
                throw UsageError(
                    "tour: there is no scene \(name)",
                    hint: NearMiss.hint(name, among: names) ?? "authlab tour --list"
                )
            }
            tour.scenes = [scene]
        }
        if isStepwise {
            tour.wait = {
                print("Press Return.", terminator: " ")
                // At the end of the input nothing is waited for.
                if readLine() == nil { print() }
            }
        }
    }

    /// Plays the scenes, or lists them; false if something was not as expected.
    func run(_ progress: ProgressLog = .silent, print: (String) -> Void) async throws -> Bool {
        if isList {
            print(Columns.list(tour.scenes.map { ($0.name, $0.title) }, width: tour.layout.width))
            return true
        }
        var tour = tour
        // Who is asked for Return sees what is being done, and may take the time.
        if !isStepwise { tour.progress = progress }
        tour.progress.begins("opening the store")
        tour.store = try await store.open()
        return await tour.run(print: print)
    }
}
