extension ClaimValue {
    /// How deeply a text may be nested, unless its reader says otherwise.
    package static let depthLimit = 32

    /// How long a text may be, in bytes, unless its reader says otherwise.
    package static let sizeLimit = 1 << 20

    /// Reads one JSON text (RFC 8259) strictly; `nil` if it is malformed, nested too deeply or too long.
    ///
    /// Besides what the grammar excludes, it refuses: invalid UTF-8, a byte order mark, lone surrogates, numbers too
    /// large for a `Double`, a key longer than 512 bytes, and a duplicate key, including two spellings that `String`
    /// considers equal. If two readers would see different values, no value is safe to use.
    package init?(json: [UInt8], depthLimit: Int = depthLimit, sizeLimit: Int = sizeLimit) {
        guard json.count <= sizeLimit else { return nil }
        var reader = JSONReader(bytes: json, depthLimit: depthLimit)
        guard let value = try? reader.readText() else { return nil }
        self = value
    }
}
