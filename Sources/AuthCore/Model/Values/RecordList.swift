/// A part of a record that is written as one list, in which each place has a meaning.
///
/// Foundation's coder takes a third as long for a place in a list as for a member of an object, and half as long for a
/// list inside a list as for an object inside an object. A list ends after its last place that holds something.
protocol RecordList: Codable {
    /// Reads the places in their order.
    init(reading list: inout RecordListReader) throws

    /// Writes the places in their order.
    func write(to list: inout RecordListWriter) throws
}

extension RecordList {
    /// Reads a list with nothing behind its last place.
    public init(from decoder: any Decoder) throws {
        var list = RecordListReader(try decoder.unkeyedContainer())
        try self.init(reading: &list)
        try list.end()
    }

    /// Writes the value as a list.
    public func encode(to encoder: any Encoder) throws {
        var list = RecordListWriter(encoder.unkeyedContainer())
        try write(to: &list)
    }
}

/// Writes the places of a list; nil is an empty place.
struct RecordListWriter {
    private var list: any UnkeyedEncodingContainer
    /// How many empty places come before the next one that holds something.
    private var empty = 0

    init(_ list: any UnkeyedEncodingContainer) { self.list = list }

    mutating func add(_ text: String?) throws { try add(text) { try $0.encode($1) } }
    mutating func add(_ value: (some CodableText)?) throws { try add(value?.description) }
    mutating func add(_ id: (some RandomIdentifier)?) throws { try add(id?.text) }
    mutating func add(_ number: UInt32?) throws { try add(number) { try $0.encode($1) } }
    mutating func add(_ number: UInt64?) throws { try add(number) { try $0.encode($1) } }
    mutating func add(_ number: Int?) throws { try add(number) { try $0.encode($1) } }
    mutating func add(_ time: Timestamp?) throws { try add(time?.milliseconds) { try $0.encode($1) } }

    /// Adds an object, for what few values have.
    mutating func add(object: (some Encodable)?) throws { try add(object) { try $0.encode($1) } }

    /// Adds a list that the body writes; an empty place if there is nothing to write.
    mutating func add(listUnless isEmpty: Bool, _ body: (inout RecordListWriter) throws -> Void) throws {
        try add(isEmpty ? nil : ()) { list, _ in
            var inner = RecordListWriter(list.nestedUnkeyedContainer())
            try body(&inner)
        }
    }

    /// Adds a list of lists; an empty place if there are none.
    mutating func add(_ parts: [some RecordList]) throws {
        try add(listUnless: parts.isEmpty) { list in
            for part in parts { try list.add(listUnless: false) { try part.write(to: &$0) } }
        }
    }

    private mutating func add<Value>(
        _ value: Value?,
        _ write: (inout any UnkeyedEncodingContainer, Value) throws -> Void
    ) throws {
        guard let value else {
            empty += 1
            return
        }
        for _ in 0..<empty { try list.encodeNil() }
        empty = 0
        try write(&list, value)
    }
}

/// Reads the places of a list.
struct RecordListReader {
    private var list: any UnkeyedDecodingContainer

    init(_ list: any UnkeyedDecodingContainer) { self.list = list }

    /// Whether the list has no further place.
    var isAtEnd: Bool { list.isAtEnd }

    /// Refuses a list that goes on.
    func end() throws { if !list.isAtEnd { throw refusal("More places than the list has") } }

    mutating func text() throws -> String { try list.decode(String.self) }
    mutating func number() throws -> UInt32 { try list.decode(UInt32.self) }
    mutating func number() throws -> UInt64 { try list.decode(UInt64.self) }
    mutating func number() throws -> Int { try list.decode(Int.self) }
    mutating func object<Value: Decodable>() throws -> Value { try list.decode(Value.self) }

    mutating func time() throws -> Timestamp {
        let milliseconds = try list.decode(Int64.self)
        let time = Timestamp(milliseconds: milliseconds)
        if time.milliseconds != milliseconds { throw refusal("Too far from now") }
        return time
    }

    /// Reads a value from its text.
    mutating func value<Value: LosslessStringConvertible>() throws -> Value { try valid(Value(try text())) }

    /// Reads a case by its name.
    mutating func raw<Value: RawRepresentable<String>>() throws -> Value { try valid(Value(rawValue: try text())) }

    /// Reads a case by its number.
    mutating func raw<Value: RawRepresentable<Int>>() throws -> Value { try valid(Value(rawValue: try number())) }

    /// Refuses a place from which no value could be made.
    func valid<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw refusal("No \(Value.self)") }
        return value
    }

    /// Reads a place that may be empty.
    mutating func ifPresent<Value>(_ read: (inout RecordListReader) throws -> Value) throws -> Value? {
        if try list.isAtEnd || list.decodeNil() { return nil }
        return try read(&self)
    }

    /// Reads elements from the list at this place, none from an empty place.
    mutating func elements<Element>(_ read: (inout RecordListReader) throws -> Element) throws -> [Element] {
        try ifPresent { list in
            var inner = RecordListReader(try list.list.nestedUnkeyedContainer())
            var elements: [Element] = []
            while !inner.isAtEnd { elements.append(try read(&inner)) }
            return elements
        } ?? []
    }

    /// Reads a list of lists, none from an empty place.
    mutating func parts<Part: RecordList>() throws -> [Part] { try elements { try $0.object() } }

    /// The error of a place that holds something else.
    func refusal(_ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: list.codingPath, debugDescription: text))
    }
}
