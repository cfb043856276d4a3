internal import Foundation

/// The terminal that the text goes to.
struct Terminal: Sendable, Hashable {
    /// Whether it shows colors.
    var isColored = false
    var width = 96

    static let widths = 40...120

    /// What the environment and the device say: `NO_COLOR` and `COLUMNS` come first, as users expect.
    init(environment: [String: String], isTerminal: Bool, deviceWidth: Int?) {
        let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isColored = isTerminal && !isPlain
        let columns = environment["COLUMNS"].flatMap { Int($0) } ?? (isTerminal ? deviceWidth : nil)
        if let columns, columns > 0 {
            width = min(max(columns, Self.widths.lowerBound), Self.widths.upperBound)
        }
    }

    /// The terminal of this process.
    static var current: Terminal {
        var size = winsize()
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        return Terminal(
            environment: ProcessInfo.processInfo.environment,
            isTerminal: isatty(STDOUT_FILENO) == 1,
            deviceWidth: isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
        )
    }
}
