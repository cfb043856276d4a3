internal import Dispatch
internal import Foundation
internal import Synchronization

/// Says what a command is doing, once it has taken longer than a moment.
///
/// It says nothing in the first two seconds. Then it names the step that is being done, and after a pause the step that
/// is being done by then. So a long step is named while it runs, and of many short ones only a few are named.
final class ProgressLog: Sendable {
    /// How long it says nothing at first.
    static let silence = Duration.seconds(2)
    /// How long it waits after a line before it names a step: less than those two seconds, so that it names each step
    /// that takes them.
    static let pause = Duration.milliseconds(1500)
    /// Says nothing at all.
    static let silent = ProgressLog { _ in }

    private struct State {
        /// What is being done, if it was not named yet.
        var step: String?
        /// When the next step may be named.
        var due: ContinuousClock.Instant
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "authlab.progress")

    /// Begins now.
    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.now = now
        self.write = write
        start = now()
        state = Mutex(State(due: start + Self.silence))
    }

    /// One for this process: it writes lines to standard error, and looks at the clock by itself.
    static func standardError() -> ProgressLog {
        let log = ProgressLog { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
        log.watch()
        return log
    }

    /// Notes what the command does from now on.
    func begins(_ step: String) {
        state.withLock { $0.step = step }
        look()
    }

    /// Says a result, unless the command has just begun: a run that is stopped has not measured in vain.
    func finds(_ result: String) {
        state.withLock { state in
            // What was being done is done.
            state.step = nil
            let now = now()
            guard now - start >= Self.silence else { return }
            state.due = now + Self.pause
            write(result)
        }
    }

    /// Names what is being done, if that was not done yet and it is time.
    func look() {
        state.withLock { state in
            let now = now()
            guard now >= state.due, let step = state.step else { return }
            state = State(step: nil, due: now + Self.pause)
            write(step)
        }
    }

    /// Looks again and again, for as long as the log is in use; not on a task, because a measurement may keep all
    /// threads that tasks have.
    private func watch() {
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
            self?.look()
            self?.watch()
        }
    }
}
