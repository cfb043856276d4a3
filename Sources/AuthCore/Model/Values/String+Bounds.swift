extension String {
    /// Whether the text has at most 2,048 bytes and contains no NUL.
    var isBounded: Bool { utf8.count <= 2048 && !utf8.contains(0) }

    /// The text; nil if it exceeds that.
    var bounded: String? { isBounded ? self : nil }

    /// Whether the text can be an ID: not empty, not long, no control characters; never trimmed or case-folded.
    var isIdentifying: Bool { (1...1024).contains(utf8.count) && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
