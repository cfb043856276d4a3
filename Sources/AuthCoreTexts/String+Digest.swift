/// Where the numbers of texts begin.
private let seed = UInt64.random(in: .min ... .max)

extension String {
    /// A number that every byte has a part in, eight bytes at a time: quick to compute, and no cryptographic hash.
    ///
    /// It is another one in each process, so that texts that share it cannot be chosen from outside.
    package var digest: UInt64 {
        var text = self
        return text.withUTF8 { characters in
            let bytes = UnsafeRawBufferPointer(characters)
            var mixed = seed &+ UInt64(bytes.count)
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                mixed = (mixed ^ word) &* 0x9E37_79B9_7F4A_7C15
                mixed ^= mixed >> 32
                offset += 8
            }
            while offset < bytes.count {
                unsafe mixed = (mixed ^ UInt64(bytes[offset])) &* 0x9E37_79B9_7F4A_7C15
                offset += 1
            }
            return mixed
        }
    }
}
