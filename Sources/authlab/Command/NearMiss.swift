/// Which known word was meant.
enum NearMiss {
    /// The known words that are closest to a word, if any is close, the closest first.
    static func words(_ word: String, among known: [String], atMost count: Int = 3) -> [String] {
        let typed = word.lowercased()
        let reach = typed.count < 3 ? 1 : max(2, typed.count / 3)
        let scored = known.enumerated().compactMap { index, name -> (distance: Int, index: Int)? in
            let other = name.lowercased()
            if typed.count > 2, other.contains(typed) { return (0, index) }
            let distance = distance(Array(typed), Array(other))
            return distance <= reach ? (distance, index) : nil
        }
        if let same = known.first(where: { $0.lowercased() == typed }) { return [same] }
        return scored.sorted { $0 < $1 }.prefix(count).map { known[$0.index] }
    }

    /// A question after the closest words; nil if none is close.
    static func hint(_ word: String, among known: [String]) -> String? {
        let words = words(word, among: known)
        return words.isEmpty ? nil : "did you mean \(words.joined(separator: " or "))?"
    }

    /// How many letters must be changed, added or removed.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = letter == other ? diagonal : 1 + min(diagonal, above, row[column])
                diagonal = above
            }
        }
        return row[right.count]
    }
}
