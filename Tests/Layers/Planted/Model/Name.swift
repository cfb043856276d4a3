import FoundationEssentials
import Synchronization

/// Uses what is above it, and what depends on more than facts.
struct Name {
    let greeting: Greeting
    let madeAt = Date()
    let number = Int.random(in: 1...6)
    let kept = Date.now
    let id = UUID()
    let since = ContinuousClock.now

    func greet() async -> Memory? { greeting.memory }
}
