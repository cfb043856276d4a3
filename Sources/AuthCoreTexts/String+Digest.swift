extension String {
    /// A number that every byte has a part in, eight bytes at a time: quick to compute, and no cryptographic hash.
    ///
    /// It is another one in each process, so that texts that share it cannot be chosen from outside.
    package var digest: UInt64 {
        // `withUTF8` would need a copy of the string.
        let digest = unsafe utf8.withContiguousStorageIfAvailable { bytes in UnsafeRawBufferPointer(bytes).digest }
        if let digest { return digest }
        return unsafe Array(utf8).withUnsafeBytes { bytes in unsafe bytes.digest }
    }
}

/// Where the numbers of texts begin.
private let seed = UInt64.random(in: .min ... .max)

extension UnsafeRawBufferPointer {
    fileprivate var digest: UInt64 {
        var mixed = seed &+ UInt64(count)
        var offset = 0
        while offset + 8 <= count {
            mixed = unsafe (mixed ^ loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
            mixed ^= mixed >> 32
            offset += 8
        }
        while offset < count {
            mixed = unsafe (mixed ^ UInt64(self[offset])) &* 0x9E37_79B9_7F4A_7C15
            offset += 1
        }
        return mixed
    }
}
