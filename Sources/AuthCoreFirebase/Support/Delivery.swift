internal import Foundation

/// Does the work in its own task, then calls the handler on the main queue.
func deliver<Value>(
    to completion: ((Value?, (any Error)?) -> Void)?,
    _ work: @escaping () async throws -> Value
) {
    let work = Handover(work)
    let completion = Handover(completion)
    Task.detached {
        let outcome: Handover<Result<Value, any Error>>
        do {
            outcome = Handover(.success(try await work.value()))
        } catch {
            // Always as an NSError object: a handler may know only NSError.
            outcome = Handover(.failure(error as NSError))
        }
        DispatchQueue.main.async {
            switch outcome.value {
            case .success(let value): completion.value?(value, nil)
            case .failure(let error): completion.value?(nil, error)
            }
        }
    }
}

/// Does the work in its own task, then calls the handler on the main queue with the error, if there is one.
func deliver(to completion: (((any Error)?) -> Void)?, _ work: @escaping () async throws -> Void) {
    guard let completion else { return deliver(to: Optional<(Void?, (any Error)?) -> Void>.none, work) }
    deliver(to: { (_: Void?, error: (any Error)?) in completion(error) }, work)
}
