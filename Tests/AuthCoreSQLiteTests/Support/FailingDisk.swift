#if SQLite
import CSQLite
import Synchronization

/// A disk whose writes and flushes of write-ahead logs fail when a test says so.
///
/// It stands between SQLite and the file system for all files of this process that are opened after `install`.
enum FailingDisk {
    /// What fails.
    enum Call {
        /// A flush, though everything was written.
        case flush
        /// A write, because the disk is full.
        case write

        fileprivate var code: Int32 {
            switch self {
            case .flush: SQLITE_IOERR | 4 << 8
            case .write: SQLITE_FULL
            }
        }
    }

    private static let faults = Mutex<[(call: Call, left: Int)]>([])

    /// Lets so many of these calls fail, in this order.
    static func fail(_ next: (call: Call, left: Int)...) { faults.withLock { $0 = next } }

    /// Everything succeeds again.
    static func mend() { fail() }

    static func install() { _ = installed }

    private static func failure(of call: Call) -> Int32? {
        faults.withLock { faults in
            guard let next = faults.first, next.call == call else { return nil }
            if next.left > 1 { faults[0].left -= 1 } else { faults.removeFirst() }
            return call.code
        }
    }

    // Written once, before any file is opened with them; from then on SQLite only reads them.
    private nonisolated(unsafe) static var whole = sqlite3_io_methods()
    private nonisolated(unsafe) static let spoiled = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    private nonisolated(unsafe) static let disk = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    private nonisolated(unsafe) static let system = unsafe sqlite3_vfs_find(nil)
    private static let isSpoiled = Mutex(false)

    private static let installed: Bool = {
        guard let system = unsafe system else { return false }
        unsafe disk.initialize(to: system.pointee)
        unsafe disk.pointee.xOpen = { _, name, file, flags, found in
            guard let system = unsafe FailingDisk.system else { return SQLITE_ERROR }
            let code = unsafe system.pointee.xOpen(system, name, file, flags, found)
            if code == SQLITE_OK, flags & SQLITE_OPEN_WAL != 0, let file = unsafe file { unsafe spoil(file) }
            return code
        }
        return unsafe sqlite3_vfs_register(disk, 1) == SQLITE_OK
    }()

    private static func spoil(_ file: UnsafeMutablePointer<sqlite3_file>) {
        guard let methods = unsafe file.pointee.pMethods else { return }
        // All logs have the same methods.
        isSpoiled.withLock { isSpoiled in
            if isSpoiled { return }
            unsafe whole = methods.pointee
            unsafe spoiled.initialize(to: whole)
            unsafe spoiled.pointee.xWrite = { file, bytes, count, offset in
                unsafe FailingDisk.failure(of: .write) ?? FailingDisk.whole.xWrite(file, bytes, count, offset)
            }
            unsafe spoiled.pointee.xSync = { file, flags in
                unsafe FailingDisk.failure(of: .flush) ?? FailingDisk.whole.xSync(file, flags)
            }
            isSpoiled = true
        }
        unsafe file.pointee.pMethods = UnsafePointer(spoiled)
    }
}
#endif
