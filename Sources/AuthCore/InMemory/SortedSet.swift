/// A sorted set, kept in chunks: adding and removing move 128 elements at most, however many there are.
///
/// The first chunk stands alone, so that a set of a few elements is one array.
struct SortedSet<Element: Comparable & Sendable>: Sendable {
    /// A chunk behind the first.
    private struct Chunk: Sendable {
        /// No element of the chunk is less, and all elements before the chunk are.
        ///
        /// It stands beside the elements, so that a search reads one chunk only.
        let start: Element
        var elements: [Element]
    }

    private static var chunkLimit: Int { 128 }

    private var head: [Element] = []
    private var rest: [Chunk] = []

    var isEmpty: Bool { head.isEmpty }

    /// The smallest element.
    var first: Element? { head.first }

    /// Whether the set contains an element.
    func contains(_ element: Element) -> Bool {
        let chunk = chunk(chunkIndex(of: element))
        return chunk.contains(element, at: chunk.place(of: element))
    }

    /// Adds an element unless the set contains it.
    mutating func insert(_ element: Element) {
        let index = chunkIndex(of: element)
        let isLast = index == rest.count
        let overflow = edit(index) { chunk -> [Element]? in
            let place = chunk.place(of: element)
            if chunk.contains(element, at: place) { return nil }
            if chunk.count < Self.chunkLimit {
                chunk.insert(element, at: place)
                return nil
            }
            // Elements that arrive in their order fill each chunk before they begin the next.
            if isLast, place == chunk.count { return [element] }
            var upper = Array(chunk[(Self.chunkLimit / 2)...])
            chunk.removeLast(upper.count)
            if place <= chunk.count {
                chunk.insert(element, at: place)
            } else {
                upper.insert(element, at: place - chunk.count)
            }
            return upper
        }
        if let overflow { rest.insert(Chunk(start: overflow[0], elements: overflow), at: index) }
    }

    /// Removes an element; returns whether the set contained it.
    @discardableResult
    mutating func remove(_ element: Element) -> Bool {
        let index = chunkIndex(of: element)
        let isFound = edit(index) { chunk in
            let place = chunk.place(of: element)
            guard chunk.contains(element, at: place) else { return false }
            chunk.remove(at: place)
            return true
        }
        if isFound, chunk(index).isEmpty, !rest.isEmpty {
            if index == 0 { head = rest.removeFirst().elements } else { rest.remove(at: index - 1) }
        }
        return isFound
    }

    /// The elements after this one, or from the smallest on, at most `limit` of them.
    func elements(after element: Element? = nil, limit: Int) -> [Element] {
        var found: [Element] = []
        guard limit > 0 else { return found }
        var (index, place) = (0, 0)
        if let element {
            index = chunkIndex(of: element)
            let chunk = chunk(index)
            place = chunk.place(of: element)
            if chunk.contains(element, at: place) { place += 1 }
        }
        while index <= rest.count, found.count < limit {
            let chunk = chunk(index)
            found += chunk[place...].prefix(limit - found.count)
            index += 1
            place = 0
        }
        return found
    }

    /// The elements from this one on, as long as they satisfy the condition.
    func elements(from element: Element, while isWanted: (Element) -> Bool) -> [Element] {
        var found: [Element] = []
        var index = chunkIndex(of: element)
        var place = chunk(index).place(of: element)
        while index <= rest.count {
            let wanted = chunk(index)[place...].prefix(while: isWanted)
            found += wanted
            if place + wanted.count < chunk(index).count { break }
            index += 1
            place = 0
        }
        return found
    }

    /// The element this many places behind the first that is not less than this one; nil if there is none.
    func element(_ distance: Int, after element: Element) -> Element? {
        var index = chunkIndex(of: element)
        var place = chunk(index).place(of: element) + distance
        while place >= chunk(index).count {
            place -= chunk(index).count
            index += 1
            if index > rest.count { return nil }
        }
        return chunk(index)[place]
    }

    private func chunk(_ index: Int) -> [Element] { index == 0 ? head : rest[index - 1].elements }

    private mutating func edit<Answer>(_ index: Int, _ body: (inout [Element]) -> Answer) -> Answer {
        index == 0 ? body(&head) : body(&rest[index - 1].elements)
    }

    /// The chunk that contains the element, or to which it belongs: the last that does not start after it.
    private func chunkIndex(of element: Element) -> Int {
        // Elements that arrive in their order belong to the last chunk.
        if let last = rest.last, last.start <= element { return rest.count }
        var (low, high) = (0, rest.count)
        while low < high {
            let middle = (low + high) / 2
            if rest[middle].start <= element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// Whether the element is at this index, which may be the end.
    fileprivate func contains(_ element: Element, at place: Int) -> Bool { place < count && self[place] == element }

    /// The index of the first element that is not less than this one.
    fileprivate func place(of element: Element) -> Int {
        if let last, last < element { return count }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
