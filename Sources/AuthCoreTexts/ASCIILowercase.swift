extension String {
    /// A–Z become a–z and every other byte stays as it is.
    ///
    /// `lowercased()` would turn letters outside ASCII into ASCII ones (the Kelvin sign into k), and so make one key
    /// out of two addresses.
    package var withLowercasedASCII: String {
        guard utf8.contains(where: \.isASCIICapital) else { return self }
        return String(decoding: utf8.map { $0.isASCIICapital ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isASCIICapital: Bool {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z")
    }
}
