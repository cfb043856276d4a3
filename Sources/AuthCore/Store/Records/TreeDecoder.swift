/// Makes a value of a tree by its own `Codable`.
struct TreeDecoder: Decoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let tree: ClaimValue

    private init(_ tree: ClaimValue, at path: [any CodingKey]) {
        self.tree = tree
        codingPath = path
    }

    /// The value of this tree.
    static func read<T: Decodable>(_ type: T.Type, from tree: ClaimValue, at path: [any CodingKey]) throws -> T {
        guard let direct = type as? any TreeValue.Type else { return try T(from: TreeDecoder(tree, at: path)) }
        guard let value = direct.init(tree: tree) as? T else {
            throw DecodingError.typeMismatch(type, .init(codingPath: path, debugDescription: "Not a \(type)"))
        }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = tree.objectValue else { throw mismatch([String: ClaimValue].self) }
        return KeyedDecodingContainer(Keyed(tree: tree, members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let values = tree.arrayValue else { throw mismatch([ClaimValue].self) }
        return Unkeyed(values: values, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(tree: tree, codingPath: codingPath)
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        DecodingError.typeMismatch(type, .init(codingPath: codingPath, debugDescription: "Not a \(type)"))
    }
}

extension TreeDecoder {
    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let tree: ClaimValue
        let members: [String: ClaimValue]
        let codingPath: [any CodingKey]

        var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

        func contains(_ key: Key) -> Bool { tree[key.stringValue] != nil }

        func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try read(type, from: try member(key), at: codingPath + [key])
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try decoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder {
            TreeDecoder(tree["super"] ?? .null, at: codingPath)
        }

        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

        private func decoder(_ key: Key) throws -> TreeDecoder {
            TreeDecoder(try member(key), at: codingPath + [key])
        }

        private func member(_ key: Key) throws -> ClaimValue {
            guard let member = tree[key.stringValue] else {
                throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "Missing"))
            }
            return member
        }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let values: [ClaimValue]
        let codingPath: [any CodingKey]
        var currentIndex = 0

        init(values: [ClaimValue], codingPath: [any CodingKey]) {
            self.values = values
            self.codingPath = codingPath
        }

        var count: Int? { values.count }
        var isAtEnd: Bool { currentIndex >= values.count }

        mutating func decodeNil() throws -> Bool {
            guard try peek().isNull else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            let value = try read(type, from: try peek(), at: codingPath + [TreeKey(currentIndex)])
            currentIndex += 1
            return value
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try nextDecoder().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try nextDecoder().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { try nextDecoder() }

        private mutating func nextDecoder() throws -> TreeDecoder {
            let decoder = TreeDecoder(try peek(), at: codingPath + [TreeKey(currentIndex)])
            currentIndex += 1
            return decoder
        }

        private func peek() throws -> ClaimValue {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    ClaimValue.self,
                    .init(codingPath: codingPath, debugDescription: "The array has ended")
                )
            }
            return values[currentIndex]
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let tree: ClaimValue
        let codingPath: [any CodingKey]

        func decodeNil() -> Bool { tree.isNull }

        func decode<T: Decodable>(_ type: T.Type) throws -> T { try read(type, from: tree, at: codingPath) }
    }
}
