/// Where in a table the rows of a hash are.
///
/// It holds neither keys nor rows: a slot is the half of a hash and the number of a row, eight bytes, and whoever looks
/// compares the key in the row. Slots stand in the order of their hashes, each at the place where its hash belongs or behind
/// it, with nothing free in between; so a search ends at the first larger hash, a slot that goes is closed by moving up
/// what is not where it belongs, and growing goes through memory once from end to end.
struct RowIndex {
    // The upper half is the hash, the lower one the row's number and 1, so that 0 is a free slot.
    private var slots: [UInt64]
    /// Over how many places the hashes are spread; the slots behind them take what runs over the end.
    private var places: Int
    private(set) var count = 0

    /// So many slots stand behind the last place, or more where more run over; the very last one is always free, and ends
    /// every search.
    private static let overhang = 64

    init() {
        places = 8
        slots = Self.emptySlots(places: 8)
    }

    private static func emptySlots(places: Int) -> [UInt64] { [UInt64](repeating: 0, count: places + overhang) }

    /// The row of this hash that is wanted, if there is one.
    func row(hash: UInt32, where isWanted: (RowNumber) -> Bool) -> RowNumber? {
        var index = place(of: hash)
        while slots[index] != 0, slots[index].hash <= hash {
            if slots[index].hash == hash, isWanted(slots[index].row) { return slots[index].row }
            index += 1
        }
        return nil
    }

    /// Adds a row that is not in it.
    mutating func insert(_ row: RowNumber, hash: UInt32) {
        if (count + 1) * 5 > places * 4 { grow() }
        place(UInt64(hash) << 32 | (UInt64(row) + 1))
        count += 1
    }

    /// Takes a row out that was added under this hash.
    mutating func remove(_ row: RowNumber, hash: UInt32) {
        let gone = UInt64(hash) << 32 | (UInt64(row) + 1)
        var index = place(of: hash)
        while slots[index] != gone {
            if slots[index] == 0 || slots[index].hash > hash { return }
            index += 1
        }
        while slots[index + 1] != 0, place(of: slots[index + 1].hash) <= index {
            slots[index] = slots[index + 1]
            index += 1
        }
        slots[index] = 0
        count -= 1
    }

    /// Hashes keep their order as places, so that a slot's neighbours are near it at every size.
    private func place(of hash: UInt32) -> Int { Int((UInt64(hash) * UInt64(places)) >> 32) }

    /// Puts a slot where it belongs.
    private mutating func place(_ new: UInt64) {
        var index = place(of: new.hash)
        while slots[index] != 0, slots[index].hash <= new.hash { index += 1 }
        var free = index
        while slots[free] != 0 { free += 1 }
        if free == slots.count - 1 { extend() }
        while free > index {
            slots[free] = slots[free - 1]
            free -= 1
        }
        slots[index] = new
    }

    /// By a quarter, so that few slots are empty afterwards, and the cost of an insertion stays the same on average.
    private mutating func grow() {
        let old = slots
        places += max(8, places / 4)
        slots = Self.emptySlots(places: places)
        var next = 0
        for slot in old where slot != 0 {
            next = max(next, place(of: slot.hash))
            if next == slots.count - 1 { extend() }
            slots[next] = slot
            next += 1
        }
    }

    private mutating func extend() { slots.append(contentsOf: repeatElement(0, count: Self.overhang)) }
}

extension UInt64 {
    fileprivate var hash: UInt32 { UInt32(truncatingIfNeeded: self >> 32) }

    fileprivate var row: RowNumber { RowNumber(truncatingIfNeeded: self & 0xffff_ffff) &- 1 }
}
