/// A JSON object that is written member by member, in their order, which costs no sorting and no copies; no name may
/// occur twice.
package struct JSONObject {
    private var bytes: [UInt8] = []

    package init(capacity: Int = 128) {
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
    }

    /// The object as JSON without spaces.
    package var json: [UInt8] { bytes + [UInt8(ascii: "}")] }

    package mutating func add(_ name: String, _ text: String) {
        begin(name)
        ClaimValue.write(text, to: &bytes)
    }

    package mutating func add(_ name: String, _ number: Int64) {
        begin(name)
        bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func add(_ name: String, _ value: ClaimValue) {
        begin(name)
        value.write(to: &bytes)
    }

    package mutating func addObject(_ name: String, _ fill: (inout JSONObject) -> Void) {
        begin(name)
        bytes.append(UInt8(ascii: "{"))
        fill(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func begin(_ name: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        ClaimValue.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
