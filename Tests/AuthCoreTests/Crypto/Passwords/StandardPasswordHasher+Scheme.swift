@testable import AuthCore
@testable import AuthCoreCrypto

extension StandardPasswordHasher {
    /// A hasher of one scheme, which must be available here, with salts from this source.
    init(
        scheme: PasswordScheme,
        workers: Int? = nil,
        waiting: Int = 1024,
        salt: @escaping @Sendable () -> [UInt8] = { randomBytes(16) }
    ) {
        self.init(PasswordHashing(scheme: scheme, workers: workers, waiting: waiting, salt: salt))
    }
}
