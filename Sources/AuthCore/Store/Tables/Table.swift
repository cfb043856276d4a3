/// The place of a row in its table, as long as the row is there.
typealias RowNumber = UInt32

extension RowNumber {
    /// The number that no row has.
    static let none = RowNumber.max
}

/// A row that is found by a key which it holds itself.
protocol TableRow {
    associatedtype Key: Hashable

    func isNamed(_ key: Key) -> Bool

    /// Where among the rows a key belongs.
    static func hash(of key: Key) -> UInt32
}

extension TableRow {
    /// The standard library's hash, seeded anew in every process: nobody can choose keys that collide.
    static func hash(of key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }
}

extension RandomIdentifier {
    /// A hash for tables of names that nobody but the library draws, which are as good as hashed; consecutive ones, as a
    /// test may draw them, are spread.
    var spread: UInt32 { UInt32(truncatingIfNeeded: ((words.low ^ words.high) &* 0x9E37_79B9_7F4A_7C15) >> 32) }
}

/// Rows under unique keys, without room for the keys besides.
struct Table<Row: TableRow> {
    /// A row that went leaves nil, until another takes its number.
    private var rows: [Row?] = []
    private var free: [RowNumber] = []
    private var index = RowIndex()

    var count: Int { index.count }

    /// The row of this number; there is none under the number that no row has, whatever is written to it.
    ///
    /// Read and written whole: accessors that lend the row where it is allocate memory for each use, which takes longer
    /// than the copy of a few words.
    subscript(_ number: RowNumber) -> Row? {
        get { number == .none ? nil : rows[Int(number)] }
        set { if number != .none { rows[Int(number)] = newValue } }
    }

    func find(_ key: Row.Key) -> RowNumber? {
        index.row(hash: Row.hash(of: key)) { number in rows[Int(number)]?.isNamed(key) == true }
    }

    func row(_ key: Row.Key) -> Row? { find(key).flatMap { rows[Int($0)] } }

    /// Adds a row under a key that no other row has.
    mutating func insert(_ row: Row, under key: Row.Key) -> RowNumber {
        let number: RowNumber
        if let old = free.popLast() {
            number = old
            rows[Int(old)] = row
        } else {
            precondition(rows.count < Int(RowNumber.none), "a table is full")
            number = RowNumber(rows.count)
            rows.append(row)
        }
        index.insert(number, hash: Row.hash(of: key))
        return number
    }

    /// Takes the row of this number out, which must be the one under the key.
    mutating func remove(_ number: RowNumber, under key: Row.Key) {
        index.remove(number, hash: Row.hash(of: key))
        rows[Int(number)] = nil
        free.append(number)
    }

    /// Takes out and gives the row under a key, if there is one.
    mutating func take(_ key: Row.Key) -> Row? {
        let hash = Row.hash(of: key)
        let found = index.row(hash: hash) { number in rows[Int(number)]?.isNamed(key) == true }
        guard let found else { return nil }
        index.remove(found, hash: hash)
        free.append(found)
        let row = rows[Int(found)]
        rows[Int(found)] = nil
        return row
    }

    /// All rows, in the order of their numbers.
    var all: some Sequence<Row> { rows.lazy.compactMap { $0 } }
}
