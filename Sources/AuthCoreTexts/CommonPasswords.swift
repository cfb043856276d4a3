/// The passwords that attackers try first, with the usual endings; case is ignored.
package enum CommonPasswords {
    /// Whether a password is one of them.
    package static func contains(_ password: String) -> Bool { all.contains(password.lowercased()) }

    static let all: Set<String> = {
        var all = Set(CommonPasswordTexts.whole.split(whereSeparator: \.isWhitespace).map(String.init))
        let endings = CommonPasswordTexts.endings.split(separator: " ").map(String.init) + [""]
        for word in CommonPasswordTexts.words.split(whereSeparator: \.isWhitespace) {
            for ending in endings where word.utf8.count + ending.utf8.count >= 8 { all.insert(word + ending) }
        }
        return all
    }()
}
