internal import Foundation

/// What one run measured on a durable store.
struct StoreBenchReport: Sendable, Codable {
    let store: String
    let seconds: Double
    var sizes: [StoreSizeReport] = []
}

/// What was measured with this number of accounts, each with two identities and a session.
struct StoreSizeReport: Sendable, Codable {
    let accounts: Int
    /// The size of the database, for each account.
    let bytesPerAccount: Double
    let records: RecordReport
    var operations: [StoreOperationReport] = []
}

/// What the store's coder takes to write and to read.
struct RecordReport: Sendable, Codable {
    /// An account with two identities and its session.
    let records: Figures
    /// The same values as members of one flat object.
    let flat: Figures

    struct Figures: Sendable, Codable {
        let bytes: Int
        let encodeMicroseconds: Double
        let decodeMicroseconds: Double
        /// Nil where allocations are not counted.
        let encodeAllocations: Int?
        let decodeAllocations: Int?
    }
}

/// One operation with this number of tasks, and the same statements by hand on one connection.
struct StoreOperationReport: Sendable, Codable {
    let name: String
    let tasks: Int
    let perSecond: Double
    let floorPerSecond: Double
    /// The median of the rounds' ratios of the rates; above 1, the service is faster than the statements by hand.
    let ratio: Double
    let rounds: Int
}

extension StoreBenchReport {
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
        var lines: [String] = []
        for size in sizes {
            lines.append(
                "\(size.accounts) accounts in \(store), \(Int(size.bytesPerAccount.rounded())) bytes an account"
            )
            lines.append("  an account and its session: \(size.records.records.line)")
            lines.append("  the same as one flat object: \(size.records.flat.line)")
            lines.append(Self.row("operation", ["tasks", "a second", "by hand", "ratio"]))
            for operation in size.operations {
                let figures = [
                    String(operation.tasks), String(Int(operation.perSecond.rounded())),
                    String(Int(operation.floorPerSecond.rounded())),
                    String((operation.ratio * 100).rounded() / 100),
                ]
                lines.append(Self.row(operation.name, figures))
            }
            lines.append("")
        }
        lines.append("by hand: the same statements in the same run, on one connection (SQLite) or up to 16")
        return lines.joined(separator: "\n")
    }

    private static func row(_ name: String, _ figures: [String]) -> String {
        let padded = figures.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
        return "  " + name.padding(toLength: 21, withPad: " ", startingAt: 0) + padded.joined()
    }
}

extension RecordReport.Figures {
    fileprivate var line: String {
        "\(bytes) bytes, encoded in \(Self.cost(encodeMicroseconds, encodeAllocations)) "
            + "and decoded in \(Self.cost(decodeMicroseconds, decodeAllocations))"
    }

    private static func cost(_ microseconds: Double, _ allocations: Int?) -> String {
        "\((microseconds * 10).rounded() / 10) microseconds" + (allocations.map { " with \($0) allocations" } ?? "")
    }
}
