extension Duration {
    /// So many minutes.
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

    /// So many hours.
    static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }

    /// So many days.
    static func days(_ count: Int) -> Duration { .seconds(count * 86400) }
}
