/// The log from a position on, page by page, and then what is committed; each iterator starts at the position.
struct EventSequence: AsyncSequence, Sendable {
    typealias Element = IdentityEvent.Update
    typealias Failure = Never

    let store: any IdentityStore
    let start: IdentityEvent.Position
    let news: AsyncStream<Void>

    func makeAsyncIterator() -> Iterator { Iterator(store: store, place: start, news: news.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        let store: any IdentityStore
        var place: IdentityEvent.Position
        var page: ArraySlice<IdentityEvent> = []
        var news: AsyncStream<Void>.Iterator

        mutating func next() async -> IdentityEvent.Update? { await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> IdentityEvent.Update? {
            while !Task.isCancelled {
                if let event = page.popFirst() {
                    place = event.position
                    return .event(event)
                }
                // A log that cannot be read is read again at the next news.
                if let read = try? await store.events(after: place, limit: 128) {
                    page = read.events[...]
                    if read.removed > place {
                        place = read.removed
                        return .missed(through: place)
                    }
                    if !page.isEmpty { continue }
                }
                if await news.next(isolation: actor) == nil { return nil }
            }
            // To listen with a cancelled task ends the listening.
            _ = await news.next(isolation: actor)
            return nil
        }
    }
}
