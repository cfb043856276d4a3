// What the library uses of Foundation: its small part where the platform has it apart, and else all of it. Only the
// files that import this module see it; an app that imports the library does not get it along.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
