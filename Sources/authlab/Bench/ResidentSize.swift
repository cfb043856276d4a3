internal import Foundation

/// How many bytes of memory the process occupies, as the kernel counts them; nil where it does not say (it is Linux's
/// `/proc/self/status` that does).
///
/// It includes the free slots of hash tables as far as they were touched, and what malloc keeps for itself.
func residentSize() -> Int? {
    guard let status = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
    for line in String(decoding: status, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmRSS:") {
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
}
