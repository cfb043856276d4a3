/// A value held by reference, so that handing it on copies one pointer; it can be replaced and never changed.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    package init(_ value: Value) { self.value = value }
}

extension Boxed: Equatable where Value: Equatable {
    static func == (left: Boxed, right: Boxed) -> Bool {
        left === right || left.value == right.value
    }
}

extension Boxed: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

// In a record a boxed value looks as it would without its box.
extension Boxed: Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Boxed: Decodable where Value: Decodable {
    convenience init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
