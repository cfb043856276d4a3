internal import Foundation

/// A file that is named on the command line; `-` is standard input.
enum InputFile {
    static func text(_ file: String) throws(UsageError) -> String {
        if file == "-" {
            var text = ""
            while let line = readLine(strippingNewline: false) { text += line }
            return text
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw UsageError("cannot read \(file)")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
