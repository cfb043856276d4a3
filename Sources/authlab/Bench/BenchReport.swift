internal import Foundation

/// Everything that one run measured.
struct BenchReport: Sendable, Codable {
    /// How long each operation was measured at each size.
    let seconds: Double
    var sizes: [SizeReport] = []
    /// What single calls waited for, and what a year left behind, if that was measured.
    var scale: [ScaleReport] = []

    init(seconds: Double) { self.seconds = seconds }
}

/// What was measured with this number of accounts in the store.
struct SizeReport: Sendable, Codable {
    let accounts: Int
    /// How much the process grew since the service was empty, for each account; nil if the system does not report it.
    let bytesPerAccount: Double?
    /// The same for the accounts that were made when the logs, which keep a number of events, were full already.
    let bytesPerAccountBesideLogs: Double?
    /// The first figure, for the plain dictionaries.
    let floorBytesPerAccount: Double?
    var operations: [OperationReport] = []
    var cores: [CoreReport] = []
}

/// One operation and its floor.
struct OperationReport: Sendable, Codable {
    let name: String
    /// The median of the rounds, for one operation.
    let nanoseconds: Double
    /// The same for the look-ups and writes of the operation on plain dictionaries under one lock.
    let floor: Double
    /// The median of the rounds' ratios.
    let ratio: Double
    /// The part of the operation that is only hashing, which the floor does not do.
    let hashing: Double
    /// The ratio without the hashing.
    let ratioWithoutHashing: Double
    let rounds: Int
}

/// Known sign-ins with this number of tasks at once.
struct CoreReport: Sendable, Codable {
    let tasks: Int
    let perSecond: Double
    let floorPerSecond: Double
}

extension BenchReport {
    /// The report as JSON.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// The report as a table with aligned columns.
    var table: String {
        if !scale.isEmpty { return scale.map(\.table).joined(separator: "\n") }
        var lines: [String] = []
        for size in sizes {
            lines.append("\(size.accounts) accounts, each with two identities and one session")
            if let bytes = size.bytesPerAccount, let floor = size.floorBytesPerAccount {
                let figures = "\(Self.rounded(bytes)) (bare dictionaries: \(Self.rounded(floor)))"
                let beside = size.bytesPerAccountBesideLogs.map { ", \(Self.rounded($0)) once the logs are full" } ?? ""
                lines.append("  bytes an account: \(figures)\(beside), growth of the resident size")
            }
            lines.append(Self.row("operation", ["ns", "floor ns", "ratio", "hashing ns", "ratio without"]))
            for operation in size.operations {
                let figures = [
                    Self.rounded(operation.nanoseconds), Self.rounded(operation.floor),
                    Self.tenths(operation.ratio), Self.rounded(operation.hashing),
                    Self.tenths(operation.ratioWithoutHashing),
                ]
                lines.append(Self.row(operation.name, figures))
            }
            for core in size.cores {
                lines.append(
                    "  known sign-ins, \(core.tasks) at once: \(Self.rounded(core.perSecond)) a second "
                        + "(bare dictionaries: \(Self.rounded(core.floorPerSecond)))"
                )
            }
            lines.append("")
        }
        lines.append("floor: the same look-ups and writes on bare dictionaries under a bare lock, in the same run")
        return lines.joined(separator: "\n")
    }

    private static func row(_ name: String, _ figures: [String]) -> String {
        let padded = figures.map { String(repeating: " ", count: max(0, 14 - $0.count)) + $0 }
        return "  " + name.padding(toLength: 22, withPad: " ", startingAt: 0) + padded.joined()
    }

    private static func rounded(_ figure: Double) -> String { String(Int(figure.rounded())) }

    private static func tenths(_ figure: Double) -> String { String((figure * 10).rounded() / 10) }
}
