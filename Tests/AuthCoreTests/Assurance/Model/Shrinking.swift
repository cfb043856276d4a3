/// Makes a failing sequence as short as it can be while it still fails.
struct Shrinking {
    /// The most attempts to spend; a sequence that is still long then is long.
    var attempts = 2000

    /// Leaves out halves, quarters and so on down to single steps, as long as what is left still fails.
    func shrink(_ steps: [Step], whileFailing fails: ([Step]) async throws -> Bool) async throws -> [Step] {
        var steps = steps
        var left = attempts
        var size = max(1, steps.count / 2)
        while true {
            var hasShrunk = false
            var start = 0
            while start < steps.count, left > 0 {
                var shorter = steps
                shorter.removeSubrange(start..<min(start + size, steps.count))
                left -= 1
                if try await fails(shorter) {
                    steps = shorter
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if left == 0 || (size == 1 && !hasShrunk) { return steps }
            if !hasShrunk || size > steps.count { size = max(1, min(size, steps.count) / 2) }
        }
    }
}
