extension Duration {
    /// A duration of this many minutes.
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

    /// A duration of this many hours.
    static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }

    /// A duration of this many days.
    static func days(_ count: Int) -> Duration { .seconds(count * 86400) }

    /// The duration, doubled so many times, and no longer than the other one; no product is too long for a duration.
    func doubled(_ times: Int, atMost longest: Duration) -> Duration {
        var result = self
        for _ in 0..<max(0, times) {
            guard result < longest / 2 else { return longest }
            result = result * 2
        }
        return min(result, longest)
    }
}
