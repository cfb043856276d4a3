import Synchronization

extension AuthService {
    /// Something that weakens the service and that its operators can mend.
    public enum Warning: String, Sendable, Hashable, CaseIterable {
        /// A request was counted whose origin is ``RequestOrigin/unknown``, or an empty address.
        ///
        /// All such requests share one counter, with the numbers of `unknownOriginFactor` origins: an attacker has that
        /// many attempts, and can use up those of all clients. State the address of each client instead.
        case originIsUnknown
        /// The store is durable, and attempts are counted in the memory of this process.
        ///
        /// The counts begin anew with each start of the process, and each of several processes allows the whole number.
        /// Set ``AuthConfiguration/attempts`` to a store that lasts and is shared.
        case attemptsAreInMemory
        /// The store is durable, and messages are kept in the memory of this process instead of being sent.
        ///
        /// They count as sent. Set ``AuthConfiguration/messageSender`` to one that sends them.
        case messagesAreInMemory
        /// The store is durable, and the links in mails lead to the page that ``AuthConfiguration/actionURL`` has by
        /// default, which does not exist.
        case linksLeadNowhere
    }

    /// What the service has warned of since it was created, for its operators.
    ///
    /// ```swift
    /// for warning in service.warnings { print("AuthCore:", warning.rawValue) }
    /// ```
    ///
    /// It does not say whether the store answers. To check that, ask for something small, such as
    /// ``failedMessages(after:limit:)`` with a limit of 1.
    public var warnings: Set<Warning> { warned.withLock(\.self) }

    func warn(of warning: Warning) { warned.withLock { _ = $0.insert(warning) } }
}
