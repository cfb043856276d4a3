#if PostgreSQL
extension Array {
    /// Sorts what follows each other and is one run; of equal elements the first stays the first.
    func sorted(
        within isOneRun: (Element, Element) -> Bool,
        by precedes: (Element, Element) -> Bool
    ) -> [Element] {
        guard count > 1 else { return self }
        var (sorted, start) = ([Element](), 0)
        for end in 1...count where end == count || !isOneRun(self[end - 1], self[end]) {
            let run = self[start..<end].enumerated().sorted { left, right in
                if precedes(left.element, right.element) { return true }
                return left.offset < right.offset && !precedes(right.element, left.element)
            }
            sorted += run.map(\.element)
            start = end
        }
        return sorted
    }
}
#endif
