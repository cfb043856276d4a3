/// What was refused after an entry, at the pace of the loop.
struct RefusalSequence: AsyncSequence, Sendable {
    typealias Element = AuditEntry.Update
    typealias Failure = Never

    let log: RefusalLog
    /// The number of the last entry before.
    let start: UInt64
    let news: AsyncStream<Void>

    func makeAsyncIterator() -> Iterator { Iterator(log: log, last: start, news: news.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        let log: RefusalLog
        var last: UInt64
        var news: AsyncStream<Void>.Iterator

        mutating func next(isolation actor: isolated (any Actor)?) async -> AuditEntry.Update? {
            while !Task.isCancelled {
                switch log.update(after: last) {
                case .refused(let entry)?:
                    last = entry.number
                    return .refused(entry)
                case .lost(let count)?:
                    last += UInt64(count)
                    return .lost(count)
                case nil:
                    if await news.next(isolation: actor) == nil { return nil }
                }
            }
            // To listen with a cancelled task ends the listening.
            _ = await news.next(isolation: actor)
            return nil
        }
    }
}
