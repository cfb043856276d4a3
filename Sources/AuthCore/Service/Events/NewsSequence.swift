/// What a log has after a place, and then what is added to it, at the pace of the loop.
///
/// Each iterator starts at the place.
struct NewsSequence<Place: Sendable, Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    let start: Place
    let news: AsyncStream<Void>
    /// Returns what follows the place, and moves the place behind it; nil if nothing follows yet.
    let read: @Sendable (inout Place) async -> Element?

    func makeAsyncIterator() -> Iterator { Iterator(place: start, news: news.makeAsyncIterator(), read: read) }

    struct Iterator: AsyncIteratorProtocol {
        var place: Place
        var news: AsyncStream<Void>.Iterator
        let read: @Sendable (inout Place) async -> Element?

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled {
                if let element = await read(&place) { return element }
                if await news.next(isolation: actor) == nil { return nil }
            }
            // To listen with a canceled task ends the listening.
            _ = await news.next(isolation: actor)
            return nil
        }
    }
}
