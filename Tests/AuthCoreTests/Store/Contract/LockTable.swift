/// Locks that are taken one after the other; of two holders that wait for each other one is ended.
struct LockTable<Key: Hashable & Sendable, Holder: Hashable & Sendable> {
    struct Deadlock: Error {}

    private var holders: [Key: Holder] = [:]
    private var waiting: [Holder: Key] = [:]

    /// Whether this one has the lock now.
    mutating func lock(_ key: Key, for own: Holder) throws -> Bool {
        guard let holder = holders[key], holder != own else {
            (holders[key], waiting[own]) = (own, nil)
            return true
        }
        waiting[own] = key
        var (next, seen): (Holder?, Set<Holder>) = (holder, [])
        // A circle of others ends soon, since one of them is ended.
        while let other = next, seen.insert(other).inserted {
            if other == own { throw Deadlock() }
            next = waiting[other].flatMap { holders[$0] }
        }
        return false
    }

    mutating func release(_ own: Holder) {
        holders = holders.filter { $0.value != own }
        waiting[own] = nil
    }
}
