// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import Foundation
internal import Synchronization

/// How much the original writes to the log; nothing is written here.
public enum FirebaseLoggerLevel: Int, Sendable {
    /// Errors only.
    case error = 3
    /// Warnings too.
    case warning = 4
    /// Notices too.
    case notice = 5
    /// Information too.
    case info = 6
    /// Everything.
    case debug = 7

    /// The level that writes least.
    public static let min = FirebaseLoggerLevel.error
    /// The level that writes most.
    public static let max = FirebaseLoggerLevel.debug
}

/// What all apps have in common.
public final class FirebaseConfiguration: NSObject, Sendable {
    /// The configuration.
    public static let shared = FirebaseConfiguration()

    private let level = Mutex(FirebaseLoggerLevel.notice)

    private override init() {}

    /// Records how much is to be written to the log; nothing is.
    public func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel) { level.withLock { $0 = loggerLevel } }

    /// The level that is set.
    var loggerLevel: FirebaseLoggerLevel { level.withLock { $0 } }
}

/// The version of the SDK whose interface this is.
public func FirebaseVersion() -> String { "12.19.0" }
