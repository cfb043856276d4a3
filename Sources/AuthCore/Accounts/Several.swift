/// Any number of elements in their order; one of them, which is the usual number, needs no array.
package enum Several<Element> {
    case none
    case one(Element)
    case many([Element])

    package init(_ elements: [Element]) {
        switch elements.count {
        case 0: self = .none
        case 1: self = .one(elements[0])
        default: self = .many(elements)
        }
    }

    var isEmpty: Bool {
        switch self {
        case .none: true
        case .one: false
        case .many(let elements): elements.isEmpty
        }
    }

    var count: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .many(let elements): elements.count
        }
    }

    var first: Element? {
        switch self {
        case .none: nil
        case .one(let element): element
        case .many(let elements): elements.first
        }
    }

    var all: [Element] {
        switch self {
        case .none: []
        case .one(let element): [element]
        case .many(let elements): elements
        }
    }

    func contains(where isWanted: (Element) -> Bool) -> Bool {
        switch self {
        case .none: false
        case .one(let element): isWanted(element)
        case .many(let elements): elements.contains(where: isWanted)
        }
    }

    func forEach(_ visit: (Element) -> Void) {
        switch self {
        case .none: break
        case .one(let element): visit(element)
        case .many(let elements): elements.forEach(visit)
        }
    }

    mutating func append(_ new: Element) {
        switch self {
        case .none:
            self = .one(new)
        case .one(let element):
            self = .many([element, new])
        case .many(var elements):
            // The array must not be shared while it grows, or it would be copied.
            self = .none
            elements.append(new)
            self = .many(elements)
        }
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        switch self {
        case .none:
            break
        case .one(let element):
            if isRemoved(element) { self = .none }
        case .many(let elements):
            self = Several(elements.filter { !isRemoved($0) })
        }
    }
}

extension Several: Sendable where Element: Sendable {}

// Two of them are equal if they hold the same, in whichever form.
extension Several: Equatable where Element: Equatable {
    package static func == (left: Several, right: Several) -> Bool {
        switch (left, right) {
        case (.none, .none): true
        case (.one(let left), .one(let right)): left == right
        default: left.count == right.count && left.all == right.all
        }
    }

    func contains(_ wanted: Element) -> Bool { contains { $0 == wanted } }
}

extension Several: Hashable where Element: Hashable {
    package func hash(into hasher: inout Hasher) { all.hash(into: &hasher) }
}

// In a record, and in a mirror, it looks as an array would.
extension Several: Encodable where Element: Encodable {
    package func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }
}

extension Several: Decodable where Element: Decodable {
    package init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension Several: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, unlabeledChildren: all, displayStyle: .collection) }
}
