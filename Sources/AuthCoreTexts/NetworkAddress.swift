/// The part of a network address that one subscriber has.
package enum NetworkAddress {
    /// The address, or its network, without the brackets and the port that a proxy may state with it.
    package static func subscriber(of text: String) -> String { network(of: host(of: text)) ?? host(of: text) }

    /// The address without the brackets and the port that a proxy may state with it: each connection has another port.
    private static func host(of text: String) -> String {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[..<end].dropFirst()) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].contains(".") && UInt16(parts[1]) != nil ? String(parts[0]) : text
    }

    /// The network of an IPv6 address: its first 64 bits, or the IPv4 address that it contains; nil for other texts.
    private static func network(of text: String) -> String? {
        let bare = text.split(separator: "%", maxSplits: 1)[...].first ?? ""
        let halves = bare.split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count > 2, halves.count <= 9 else { return nil }
        if let last = halves.last, last.contains("."), halves.dropLast().contains(where: { $0.lowercased() == "ffff" })
        {
            return String(last)
        }
        guard let gap = halves.firstIndex(where: \.isEmpty) else { return groups(Array(halves)) }
        // The colons at either end of the text belong to the gap.
        let front = halves[..<gap].filter { !$0.isEmpty }
        let back = halves[gap...].filter { !$0.isEmpty }
        let embedded = back.last?.contains(".") == true ? 1 : 0
        let missing = max(0, 8 - front.count - back.count - embedded)
        return groups(front + Array(repeating: "0", count: missing) + back)
    }

    private static func groups(_ texts: [Substring]) -> String? {
        let numbers = texts.map { UInt16($0, radix: 16) }
        if numbers.count == 8, numbers.prefix(6) == [0, 0, 0, 0, 0, 0xFFFF], let high = numbers[6], let low = numbers[7]
        {
            return [high >> 8, high & 255, low >> 8, low & 255].map(String.init).joined(separator: ".")
        }
        let network = numbers.prefix(4).compactMap(\.self)
        return network.count == 4 ? network.map { String($0, radix: 16) }.joined(separator: ":") : nil
    }
}
