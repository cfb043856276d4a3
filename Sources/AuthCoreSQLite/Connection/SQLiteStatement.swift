#if SQLite
internal import AuthCore
internal import CSQLite

/// A prepared statement, and the row that it stands at.
@safe final class SQLiteStatement {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe sqlite3_finalize(pointer) }

    func step() -> Int32 { unsafe sqlite3_step(pointer) }

    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }

    func bind(_ values: [SQLiteValue]) {
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .null: break
            case .integer(let number): unsafe sqlite3_bind_int64(pointer, place, number)
            case .bytes(let bytes): bind(blob: bytes, at: place)
            case .text(let text): bind(Array(text.utf8), at: place)
            case .utf8(let bytes): bind(bytes, at: place)
            }
        }
    }

    // An empty array may have no address, which SQLite would take for NULL.

    private func bind(blob: [UInt8], at place: Int32) {
        if blob.isEmpty {
            unsafe sqlite3_bind_zeroblob(pointer, place, 0)
        } else {
            unsafe sqlite3_bind_blob(pointer, place, blob, Int32(blob.count), Self.copied)
        }
    }

    private func bind(_ text: [UInt8], at place: Int32) {
        unsafe text.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            if let start = unsafe start {
                unsafe sqlite3_bind_text(pointer, place, start, Int32(buffer.count), Self.copied)
            } else {
                unsafe sqlite3_bind_text(pointer, place, "", 0, Self.copied)
            }
        }
    }

    /// Tells SQLite to copy what it is given.
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // MARK: The row

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

    func time(_ column: Int32) -> Timestamp? {
        isNull(column) ? nil : Timestamp(milliseconds: integer(column))
    }

    /// The bytes of a BLOB or of a text.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(pointer, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(pointer, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
#endif
