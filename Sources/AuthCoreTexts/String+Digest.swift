/// Where the numbers of texts begin, and what their words are mixed with.
private let secrets = (start: UInt64.random(in: .min ... .max), word: UInt64.random(in: .min ... .max))

extension String {
    /// A number that every byte has a part in, eight bytes at a time: quick to compute, and no cryptographic hash.
    ///
    /// It is another one in each process, so that no list of texts that share it can be made in advance.
    package var digest: UInt64 {
        var text = self
        return text.withUTF8 { characters in
            let bytes = UnsafeRawBufferPointer(characters)
            let secrets = secrets
            var mixed = secrets.start &+ UInt64(bytes.count)
            func mix(_ word: UInt64) {
                // Both halves of the product: a multiplication alone lets differences through that can be foreseen.
                let product = (word ^ secrets.word).multipliedFullWidth(by: mixed)
                mixed = product.high ^ product.low
            }
            let end = bytes.count & ~7
            for offset in stride(from: 0, to: end, by: 8) {
                unsafe mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            mix(unsafe bytes[end...].reduce(0) { rest, byte in rest << 8 | UInt64(byte) })
            // Once more, so that the last bytes spread as well as the first.
            mix(0)
            return mixed
        }
    }
}
