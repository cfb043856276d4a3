/// Turns a value into a tree by its own `Codable`, the same on every platform.
struct TreeEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let node: TreeNode

    private init(_ node: TreeNode, at path: [any CodingKey]) {
        self.node = node
        codingPath = path
    }

    /// The tree of this value.
    static func tree(of value: some Encodable) throws -> ClaimValue {
        let node = TreeNode()
        try write(value, into: node, at: [])
        return node.tree
    }

    fileprivate static func write(_ value: some Encodable, into node: TreeNode, at path: [any CodingKey]) throws {
        guard let value = value as? any TreeValue else {
            try value.encode(to: TreeEncoder(node, at: path))
            return
        }
        guard let tree = value.tree else {
            throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "Out of range"))
        }
        node.content = .value(tree)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = node.content {} else { node.content = .object([:]) }
        return KeyedEncodingContainer(Keyed(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .array = node.content {} else { node.content = .array([]) }
        return Unkeyed(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(node: node, codingPath: codingPath)
    }
}

/// A place in a tree under construction; containers write to it long after they were handed out.
private final class TreeNode {
    enum Content {
        case value(ClaimValue)
        case array([TreeNode])
        case object([String: TreeNode])
    }

    var content = Content.object([:])

    var tree: ClaimValue {
        switch content {
        case .value(let value): value
        case .array(let nodes): .array(nodes.map(\.tree))
        case .object(let members): .object(members.mapValues(\.tree))
        }
    }

    func child(_ key: any CodingKey) -> TreeNode {
        let child = TreeNode()
        guard case .object(var members) = content else { return child }
        // Emptied first, so that the members are not shared and not copied for each new one.
        content = .object([:])
        members[key.stringValue] = child
        content = .object(members)
        return child
    }

    func nextChild() -> TreeNode {
        let child = TreeNode()
        guard case .array(var nodes) = content else { return child }
        content = .array([])
        nodes.append(child)
        content = .array(nodes)
        return child
    }

    var count: Int {
        if case .array(let nodes) = content { nodes.count } else { 0 }
    }
}

// One generic method answers every requirement for a built-in type: what stands by itself is found by `TreeValue`.

extension TreeEncoder {
    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: TreeNode
        let codingPath: [any CodingKey]

        mutating func encodeNil(forKey key: Key) throws {
            node.child(key).content = .value(.null)
        }

        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            try write(value, into: node.child(key), at: codingPath + [key])
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            TreeEncoder(node.child(key), at: codingPath + [key]).container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            TreeEncoder(node.child(key), at: codingPath + [key]).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { TreeEncoder(node.child(TreeKey("super")), at: codingPath) }

        mutating func superEncoder(forKey key: Key) -> any Encoder { TreeEncoder(node.child(key), at: codingPath) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let node: TreeNode
        let codingPath: [any CodingKey]
        var count: Int { node.count }

        mutating func encodeNil() throws {
            node.nextChild().content = .value(.null)
        }

        mutating func encode<T: Encodable>(_ value: T) throws {
            try write(value, into: node.nextChild(), at: codingPath + [TreeKey(count)])
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            TreeEncoder(node.nextChild(), at: codingPath).container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            TreeEncoder(node.nextChild(), at: codingPath).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { TreeEncoder(node.nextChild(), at: codingPath) }
    }

    private struct Single: SingleValueEncodingContainer {
        let node: TreeNode
        let codingPath: [any CodingKey]

        mutating func encodeNil() throws {
            node.content = .value(.null)
        }

        mutating func encode<T: Encodable>(_ value: T) throws {
            try write(value, into: node, at: codingPath)
        }
    }
}

/// A key that is only a name or a place.
struct TreeKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}
