import AuthCoreFirebase

extension AuthErrorCode {
    /// Every code that there is; how many they are, a test of their names says.
    static let all = (0..<20_000).compactMap { AuthErrorCode(rawValue: $0) }
}
