extension Duration {
    /// A duration of this many minutes.
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

    /// A duration of this many hours.
    static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }

    /// A duration of this many days.
    static func days(_ count: Int) -> Duration { .seconds(count * 86400) }
}
