internal import AuthCore
internal import Foundation

/// A policy with the name under which it is shown: a preset, or a file.
struct NamedPolicy: Sendable {
    let name: String
    let policy: AuthPolicy

    /// The name in a text: only that of a preset has a dot.
    var title: String { Self.presets.contains { $0.name == name } ? "." + name : name }

    static let standard = NamedPolicy(name: "standard", policy: .standard)
    static let firebase = NamedPolicy(name: "firebase", policy: .firebase)
    static let firebaseProtected = NamedPolicy(name: "firebaseProtected", policy: .firebaseProtected)
    static let presets = [standard, firebase, firebaseProtected]

    /// The preset of this name.
    init(preset name: String) throws(UsageError) {
        guard let preset = Self.presets.first(where: { $0.name == name }) else {
            throw UsageError("there is no policy \(name)", hint: NearMiss.hint(name, among: Self.presets.map(\.name)))
        }
        self = preset
    }

    /// The preset of this name, or what the file of this name contains.
    init(presetOrFile text: String) throws(UsageError) {
        if let preset = Self.presets.first(where: { $0.name == text }) {
            self = preset
            return
        }
        guard let data = InputFile.data(text) else {
            throw UsageError(
                "\(text) is neither a policy nor a file that can be read",
                hint: NearMiss.hint(text, among: Self.presets.map(\.name))
            )
        }
        do {
            policy = try JSONDecoder().decode(AuthPolicy.self, from: data)
        } catch {
            throw UsageError("\(text) is no policy: \(Self.words(of: error))")
        }
        let last = text.split(separator: "/").last.map(String.init) ?? text
        // A file that is named like a preset goes by its path, which is not.
        name = Self.presets.contains { $0.name == last } ? text : last
    }

    init(name: String, policy: AuthPolicy) {
        self.name = name
        self.policy = policy
    }

    private static func words(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it cannot be read" }
        switch error {
        case .keyNotFound(let key, _): return "\(key.stringValue) is missing"
        case .valueNotFound(let type, let context), .typeMismatch(let type, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "it is no object" : "\(path) is no \(type)"
        case .dataCorrupted(let context): return context.debugDescription
        @unknown default: return "it cannot be read"
        }
    }
}
