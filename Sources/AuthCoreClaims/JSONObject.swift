/// A JSON object that is written member by member, in their order, which costs no sorting and no copies; no name may
/// occur twice.
package struct JSONObject {
    private var bytes: [UInt8] = []

    package init(capacity: Int = 128) {
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
    }

    /// Ends the object and returns it as JSON without spaces.
    package mutating func end() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Adds a member whose name is written in the code, and needs no escapes.
    package mutating func add(_ name: StaticString, _ value: ClaimValue) {
        begin(name)
        value.write(to: &bytes)
    }

    package mutating func add(named name: String, _ value: ClaimValue) {
        separate()
        ClaimValue.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
    }

    package mutating func addObject(_ name: StaticString, _ fill: (inout JSONObject) -> Void) {
        begin(name)
        bytes.append(UInt8(ascii: "{"))
        fill(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func begin(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { name in unsafe bytes.append(contentsOf: name) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    }
}
