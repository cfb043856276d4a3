#if canImport(Glibc)
internal import Glibc
#endif

/// How often a thread asks for memory, where the process was started with the library of `.ci/allocations.c` before all
/// others.
enum Allocations {
    #if canImport(Glibc)
    private static let count: (@convention(c) () -> UInt)? = {
        guard let address = unsafe dlsym(dlopen(nil, RTLD_NOW), "authcore_allocations") else { return nil }
        return unsafe unsafeBitCast(address, to: (@convention(c) () -> UInt).self)
    }()
    #else
    private static let count: (@convention(c) () -> UInt)? = nil
    #endif

    /// How many allocations the work makes; nil if they are not counted.
    static func counted(_ work: () throws -> Void) rethrows -> Int? {
        guard let count else { return nil }
        // What is made once and kept is no cost of the work.
        try work()
        let before = count()
        try work()
        return Int(count() - before)
    }
}
