internal import Foundation

/// The command that draws the pictures of the articles: `authlab pictures FOLDER`.
struct PicturesCommand: Sendable {
    static let synopsis = Synopsis(
        name: "pictures",
        summary: "Draws the pictures of the README and the articles into a folder, from what the rules do.",
        operands: "FOLDER"
    )

    let folder: String

    init(arguments: [String]) throws(UsageError) {
        let operands = try Self.synopsis.read(arguments).operands
        guard operands.count == 1, let folder = operands.first else {
            throw UsageError("pictures: one folder is needed", hint: Self.synopsis.usage)
        }
        self.folder = folder
    }

    func run(print: (String) -> Void) async throws {
        for (name, text) in try await Pictures.all() {
            let file = "\(folder)/\(name)"
            guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
                throw UsageError("cannot write \(file)")
            }
            print(file)
        }
    }
}
