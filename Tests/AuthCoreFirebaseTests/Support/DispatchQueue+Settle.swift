import Foundation

extension DispatchQueue {
    /// Waits until everything that waits for the queue has happened.
    func settle() async { await withCheckedContinuation { done in async { done.resume() } } }
}
