import AuthCore
import AuthCoreTesting
import Synchronization

/// The devices of a world by name, each as it was handed out last, like the cookie jars of browsers.
final class DeviceJar: Sendable {
    private let devices = Mutex<[String: DeviceID]>([:])

    /// The device of this name.
    subscript(name: String) -> DeviceID {
        get { devices.withLock { $0[name] } ?? DeviceID(named: name) }
        set { devices.withLock { $0[name] = newValue } }
    }

    /// Keeps the device of this name in the jar, and its session where it is kept besides.
    func persistence(of name: String, and kept: (any UserPersistence)?) -> any UserPersistence {
        JarPersistence(jar: self, name: name, kept: kept)
    }
}

private struct JarPersistence: UserPersistence {
    let jar: DeviceJar
    let name: String
    let kept: (any UserPersistence)?

    func load() async throws -> Auth.Persisted? { try await kept?.load() }

    func save(_ record: Auth.Persisted) async throws {
        jar[name] = record.device
        try await kept?.save(record)
    }
}
