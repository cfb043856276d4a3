internal import Foundation

/// A file that is named on the command line; `-` is standard input.
enum InputFile {
    static func text(_ file: String) throws(UsageError) -> String {
        if file == "-" {
            var text = ""
            while let line = readLine(strippingNewline: false) { text += line }
            return text
        }
        guard let data = data(file) else { throw UsageError("cannot read \(file)") }
        return String(decoding: data, as: UTF8.self)
    }

    /// What a file or a pipe contains; nil if it cannot be read.
    static func data(_ file: String) -> Data? {
        // A pipe has no size, so it is read to its end.
        guard let handle = FileHandle(forReadingAtPath: file) else { return nil }
        do {
            return try handle.readToEnd() ?? Data()
        } catch {
            return nil
        }
    }
}
