import Dispatch
import Synchronization

/// What goes from thread to thread though the compiler cannot know that nothing changes it.
private struct Shared<Value>: @unchecked Sendable {
    let value: Value
}

/// The answers for all elements, in their order, found on as many threads as there are cores.
func parallelMap<Element, Answer>(_ elements: [Element], _ body: (Element) -> Answer) -> [Answer] {
    let answers = Mutex<[Int: Shared<Answer>]>([:])
    withoutActuallyEscaping(body) { body in
        let work = Shared(value: (body: body, elements: elements))
        DispatchQueue.concurrentPerform(iterations: elements.count) { index in
            let answer = Shared(value: work.value.body(work.value.elements[index]))
            answers.withLock { $0[index] = answer }
        }
    }
    return answers.withLock { all in elements.indices.compactMap { all[$0]?.value } }
}
