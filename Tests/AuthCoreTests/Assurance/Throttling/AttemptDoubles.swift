import AuthCore
import AuthCoreTesting
import Synchronization

/// An attempt store that lets all other tasks run before and after each of its steps, as one far away does.
struct SlowAttempts: AttemptStore {
    private let inner = InMemoryAttemptStore()

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        await suspend()
        let answer = try await inner.take(takes, at: now)
        await suspend()
        return answer
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        await suspend()
        try await inner.keep(takes, at: now)
    }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        await suspend()
        try await inner.refund(takes, clearing: keys, at: now)
    }

    private func suspend() async { for _ in 0..<20 { await Task.yield() } }
}

/// An attempt store that counts, and fails whenever an attempt is given back.
struct StingyAttempts: AttemptStore {
    private let inner = InMemoryAttemptStore()

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        try await inner.take(takes, at: now)
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws { try await inner.keep(takes, at: now) }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        throw StoreFailure()
    }
}

/// A hasher that counts how often it works.
final class CountingHasher: PasswordHasher {
    private let inner: any PasswordHasher
    private let counts = Mutex((checks: 0, hashes: 0))

    init(_ inner: any PasswordHasher = CheapPasswordHasher()) { self.inner = inner }

    var checks: Int { counts.withLock { $0.checks } }
    var hashes: Int { counts.withLock { $0.hashes } }
    var placeholder: PasswordHash { inner.placeholder }

    func reset() { counts.withLock { $0 = (0, 0) } }

    func hash(_ password: Secret) async throws -> PasswordHash {
        counts.withLock { $0.hashes += 1 }
        return try await inner.hash(password)
    }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        counts.withLock { $0.checks += 1 }
        await Task.yield()
        return try await inner.check(password, against: hash)
    }
}

extension World {
    /// A client on a device that no account knows, by default from an address of its own.
    func stranger(_ number: Int = 0, at address: String? = nil) -> AuthClient {
        service.client(for: nil, origin: .address(address ?? "198.51.\(number / 250).\(number % 250)"))
    }

    /// Ann's password client on a device that her account knows.
    func annsDevice() async throws -> AuthClient {
        let result = try await stranger(at: "192.0.2.77").signIn(with: Self.annsPassword)
        return service.client(for: result.device, origin: .address("192.0.2.77"))
    }

    func guess(_ word: Int, _ email: String = "ann@example.com") -> AuthCredential {
        .password(email: email, password: "a guess \(word)")
    }
}

/// How often each code was the outcome of so many acts, one after another.
func outcomes(of count: Int, _ act: (Int) async throws -> some Any) async -> [AuthErrorCode?: Int] {
    var outcomes: [AuthErrorCode?: Int] = [:]
    for index in 0..<count { outcomes[await outcome { try await act(index) }, default: 0] += 1 }
    return outcomes
}

/// How often each code was the outcome of so many acts at once.
func outcomes(
    inParallel count: Int,
    _ act: @escaping @Sendable (Int) async throws -> some Any
) async -> [AuthErrorCode?: Int] {
    await withTaskGroup(of: AuthErrorCode?.self) { group in
        for index in 0..<count {
            group.addTask { await outcome { try await act(index) } }
        }
        var outcomes: [AuthErrorCode?: Int] = [:]
        for await outcome in group { outcomes[outcome, default: 0] += 1 }
        return outcomes
    }
}

/// The code of an act's error; nil for one that goes through.
func outcome(of act: () async throws -> some Any) async -> AuthErrorCode? {
    do {
        _ = try await act()
        return nil
    } catch {
        return (error as? AuthError)?.code ?? .internalError
    }
}

/// Hashes passwords, and is canceled whenever it compares one.
struct CancelingHasher: PasswordHasher {
    private let inner = CheapPasswordHasher()
    var placeholder: PasswordHash { inner.placeholder }

    func hash(_ password: Secret) async throws -> PasswordHash { try await inner.hash(password) }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        throw CancellationError()
    }
}
