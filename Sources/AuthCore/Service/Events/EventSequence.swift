/// The events from one place on: first those in the log, then those that are published.
struct EventSequence: AsyncSequence, Sendable {
    typealias Element = IdentityEvent.Update
    typealias Failure = Never

    let subscription: Subscription<IdentityEvent.Update>
    let store: any IdentityStore
    /// The position after which events are wanted.
    let start: IdentityEvent.Position
    /// The position after which events are published; earlier ones are read from the log.
    let live: IdentityEvent.Position

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    struct Iterator: AsyncIteratorProtocol {
        private let sequence: EventSequence
        private var place: IdentityEvent.Position
        private var page: ArraySlice<IdentityEvent> = []

        init(sequence: EventSequence) {
            self.sequence = sequence
            place = sequence.start
        }

        mutating func next() async -> IdentityEvent.Update? { await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> IdentityEvent.Update? {
            while place < sequence.live || !page.isEmpty {
                if let event = page.popFirst() {
                    place = event.position
                    return .event(event)
                }
                if Task.isCancelled {
                    sequence.subscription.end()
                    return nil
                }
                if let missed = await turnPage() { return missed }
            }
            while let update = await sequence.subscription.next(isolation: actor) {
                switch update {
                case .event(let event):
                    if event.position <= place { continue }
                    place = event.position
                    return update
                case .missed(let last):
                    if last <= place { continue }
                    place = last
                    return update
                }
            }
            return nil
        }

        /// Reads the next page of the log; events that cannot be read are reported as missed.
        private mutating func turnPage() async -> IdentityEvent.Update? {
            guard let read = try? await sequence.store.events(after: place, limit: 128) else {
                place = sequence.live
                return .missed(through: place)
            }
            let isGap = read.removed > place
            page = read.events.prefix { $0.position <= sequence.live }
            if page.isEmpty { place = sequence.live }
            return isGap ? .missed(through: read.removed) : nil
        }
    }
}
