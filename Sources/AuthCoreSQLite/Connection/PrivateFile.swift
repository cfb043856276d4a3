#if SQLite
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Files that only their owner may read: SQLite itself would let everybody read them.
enum PrivateFile {
    /// Makes an empty file unless there is one; SQLite reports what stands in the way.
    static func make(_ path: String) {
        let file = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if file != -1 { _ = close(file) }
    }

    /// Whether both names are of one file.
    static func areOne(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard unsafe stat(path, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Whether the file has the other name now.
    static func rename(_ path: String, to name: String) -> Bool { unsafe renameat(AT_FDCWD, path, AT_FDCWD, name) == 0 }
}
#endif
