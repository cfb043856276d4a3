/// Whether the operation throws.
func refused(_ act: () async throws -> some Any) async -> Bool {
    do {
        _ = try await act()
        return false
    } catch {
        return true
    }
}
