internal import Foundation

/// How many bytes of memory the process occupies, as the kernel counts them in Linux's `/proc/self/status`; nil on
/// other systems.
///
/// This includes free slots of hash tables, if they were touched, and memory that malloc keeps for itself.
func residentSize() -> Int? {
    guard let status = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
    for line in String(decoding: status, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmRSS:") {
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
}
