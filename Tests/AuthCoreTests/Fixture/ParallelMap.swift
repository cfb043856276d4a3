import Foundation

/// The answers for all elements, in their order, found on as many threads as there are cores.
func parallelMap<Elements: Collection, Answer: Sendable>(
    _ elements: Elements,
    _ body: @escaping @Sendable (Elements.Element) async throws -> Answer
) async throws -> [Answer] where Elements.Element: Sendable {
    try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
        var answers: [Int: Answer] = [:]
        for (index, element) in elements.enumerated() {
            if index >= ProcessInfo.processInfo.activeProcessorCount, let (place, answer) = try await group.next() {
                answers[place] = answer
            }
            group.addTask { (index, try await body(element)) }
        }
        for try await (place, answer) in group { answers[place] = answer }
        return answers.sorted { $0.key < $1.key }.map(\.value)
    }
}
