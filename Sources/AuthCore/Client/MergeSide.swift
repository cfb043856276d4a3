#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What stands for one side of a merge: each of them is proved anew, in the same attempt.
public enum MergeSide: Sendable {
    /// A credential of the account, checked just now by `verify(_:)`.
    case proved(VerifiedCredential)
    /// The answer to the second factor that the merge asked for; the challenge keeps what was proved before it.
    case answering(SecondFactorChallenge, SecondFactorAssertion)
    /// The person in the session of an anonymous account, which has nothing else to show.
    case anonymous(User)
}

/// What a merge or move leaves behind.
public struct MergeResult: Sendable {
    /// The person on the account that received, in a new session.
    public let result: AuthResult
    /// What was done.
    public let plan: MergePlan
    /// The merge's name, for undoing it.
    public let id: MergeID
    /// Until when it can be undone; nil if it cannot.
    public let undoableUntil: Date?
    /// Whether every hook was told; otherwise `resumeMerge(_:)` tells them again.
    public let isFinished: Bool
}

/// What an undone merge or move leaves behind.
public struct MergeUndoResult: Sendable {
    /// The person on the account of the side that was proved; nil where that account asks for a factor that was not
    /// shown, and is signed in to as always.
    public let result: AuthResult?
    /// What had been done, and was taken back as far as it was still there.
    public let plan: MergePlan
    /// Whether every hook was told; otherwise `resumeMerge(_:)` tells them again.
    public let isFinished: Bool
}
