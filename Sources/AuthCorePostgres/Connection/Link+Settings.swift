#if PostgreSQL
extension Link {
    /// Sets what every statement of a store is run with.
    mutating func use(_ options: PostgresStore.Options) throws(PostgresError) {
        // A pooler gives a transaction any of its connections, which must not remember anything.
        if options.isPooledByTransaction { return }
        let text = """
            SET statement_timeout = \(options.statementTimeout.wholeMilliseconds);
            SET lock_timeout = \(options.lockTimeout.wholeMilliseconds);
            SET idle_in_transaction_session_timeout = 60000;
            SET default_transaction_isolation = 'read committed'
            """
        try run(text: text, until: .now + options.statementTimeout + .seconds(10))
    }
}
#endif
