/// Follows the conditions of a source about platforms: lines that only Apple's platforms compile get no faults.
struct PlatformConditions {
    /// For each condition that is open, whether its lines are compiled here, as far as it is about platforms.
    private var open: [Bool?] = []

    /// Whether a line, the next one of the source, is code that is compiled here.
    mutating func compiles(_ line: String) -> Bool {
        let text = line.trimmed
        if text.hasPrefix("#if ") {
            open.append(Self.answer(to: text.dropFirst(4)))
        } else if text == "#else" {
            open[open.count - 1] = open[open.count - 1].map { !$0 }
        } else if text == "#endif" {
            open.removeLast()
        } else {
            return !open.contains(false)
        }
        return false
    }

    /// Nothing for what is no condition about platforms alone, such as one about traits.
    private static func answer(to condition: Substring) -> Bool? {
        #if os(Linux)
        let apples = ["canImport(CryptoKit)", "canImport(ObjectiveC)", "canImport(UIKit)", "os(iOS)"]
        return apples.contains { condition.hasPrefix($0) } ? false : condition == "canImport(CCrypt)" ? true : nil
        #else
        return nil
        #endif
    }
}
