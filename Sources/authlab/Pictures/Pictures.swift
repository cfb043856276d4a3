/// The pictures of the README and the articles: each is drawn from what a service in memory does.
enum Pictures {
    /// The files, by name: a picture for light pages, and one for dark pages.
    static func all() async throws -> [(name: String, text: String)] {
        let map = try await DecisionMap()
        var pictures = [
            ("conflict", try await Picture.conflict()), ("method-life", try await Picture.methodLife()),
            ("merge", try await Picture.merge()),
        ]
        for attack in Attack.all {
            pictures.append(("attack-" + attack.id.lowercased().replacing("-", with: ""), try await attack.picture()))
        }
        return Theme.all.flatMap { theme in
            [("decision-map", map.svg(theme)), ("decision-map-narrow", map.narrowSVG(theme))]
                .map { (theme.file($0.0), $0.1) }
                + pictures.map { (theme.file($0.0), $0.1.svg(theme)) }
        }
    }
}

extension Theme {
    /// The name of a picture's file, as DocC finds the one for dark pages.
    fileprivate func file(_ name: String) -> String { name + (self.name == "dark" ? "~dark" : "") + ".svg" }
}
