import AuthCore
/// Everything that can be read of a scene in a store, for comparison with a later read.
struct StorePicture: Equatable {
    private var accounts: [Account] = []
    private var due: [AccountID] = []
    private var owners: [AccountID?] = []
    private var referencing: [[AccountID]] = []
    private var records: [OneTimeRecord] = []
    /// The records of each account, which a store may find by another index than one alone.
    private var listed: [[OneTimeRecord]] = []
    private var sessions: [Session] = []
    private var signIns: [Timestamp?] = []
    /// Without their positions, which differ from store to store.
    private var events: [IdentityEvent]
    private var messages: [Store.QueuedMessage]
    private var failed: [Store.QueuedMessage]
    /// The versions of the lists of references, which differ from store to store.
    private var versions: [UInt64] = []

    /// What two stores must have in common.
    var withoutVersions: StorePicture {
        var picture = self
        picture.versions = []
        return picture
    }

    /// What a sweep leaves that removes old events from the log.
    var withoutEvents: StorePicture {
        var picture = self
        picture.events = []
        return picture
    }

    /// Reads everything that the scene and the change are about.
    init(of scene: StoreScene, touchedBy changes: ChangeSet, in probe: StoreProbe) async throws {
        events = try await probe.store.events(after: .start, limit: 1000).events.map { $0.placed(at: .start) }
        messages = try await probe.store.messages(.waiting, after: nil, limit: 1000)
        failed = try await probe.store.messages(.failed, after: nil, limit: 1000)
        accounts = try await probe.store.accounts(after: nil, limit: 1000)
        due = try await probe.store.accounts(dueBy: .distantFuture, after: nil, limit: 1000).map(\.id)
        let rest = scene.rest
        for account in [scene.ann, scene.ben, try StoreScene.person("cem", probe)] + (rest?.accounts ?? []) {
            for key in account.ownedKeys(under: .address) { owners.append(try await probe.owner(of: key)) }
            for (email, _) in account.emailReferences(under: .address) {
                referencing.append(try await probe.referencing(of: email))
                versions.append(try await probe.referenceVersion(of: email))
            }
            sessions += try await probe.rows(of: account.id)
            signIns.append(try await probe.lastSignIn(of: account.id))
            listed.append(try await probe.records(of: account.id))
        }
        if let rest { owners.append(try await probe.owner(of: rest.key)) }
        var keys = [scene.code.key] + (rest.map { $0.codes + [$0.dansCode] } ?? []).map(\.key)
        for case .put(let record) in changes.records { keys.append(record.key) }
        for key in keys {
            if let record = try await probe.record(key) { records.append(record) }
        }
    }
    /// What the store in memory shows after the change that writes every table, where the same is drawn as here.
    static func whole(like probe: StoreProbe) async throws -> StorePicture {
        var model = probe.model()
        let scene = try await StoreScene.stageEverything(in: &model)
        let change = try scene.richChange(&model)
        try await model.commit("a change", change)
        return try await StorePicture(of: scene, touchedBy: change, in: model).withoutVersions
    }
}
