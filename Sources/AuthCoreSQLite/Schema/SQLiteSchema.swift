#if SQLite
internal import AuthCoreSQL

/// The tables, as every version of the library left them.
enum SQLiteSchema {
    /// Marks a file as one of AuthCore's: "AuC1" in ASCII.
    static let applicationID = 0x4175_4331

    static let migrations = Migrations([
        Migration(version: 1, purpose: "the tables of version 1", statements: tables + views)
    ])

    /// Keys are BLOBs, which SQLite compares byte by byte; a `record` is the stored value, and other columns follow it.
    private static let tables = [
        """
        CREATE TABLE store (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            incarnation INTEGER NOT NULL,  -- the first number of event positions
            is_copy INTEGER NOT NULL,      -- 1 in a backup, 2 if not all commits waited for the disk, else 0
            key_rule TEXT,                 -- how keys of addresses are made
            reference_version INTEGER NOT NULL,
            removed_incarnation INTEGER NOT NULL,
            removed_event INTEGER NOT NULL -- up to which events were removed
        ) STRICT
        """,
        "INSERT INTO store VALUES (1, 0, 0, NULL, 0, 0, 0)",
        """
        CREATE TABLE accounts (
            id BLOB PRIMARY KEY,
            version INTEGER NOT NULL,
            created_at INTEGER NOT NULL,   -- all times are milliseconds since 1970 in UTC
            status TEXT NOT NULL,          -- active, anonymous, disabled, deleted
            email TEXT,
            phone_number TEXT,
            display_name TEXT,
            last_sign_in INTEGER,
            due_at INTEGER,
            record TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX accounts_due ON accounts (due_at, id) WHERE due_at IS NOT NULL",
        "CREATE INDEX accounts_by_email ON accounts (email) WHERE email IS NOT NULL",
        """
        CREATE TABLE sign_in_methods (
            account BLOB NOT NULL,
            place INTEGER NOT NULL,
            kind TEXT NOT NULL,
            provider TEXT NOT NULL,
            issuer TEXT,
            subject TEXT,
            email TEXT,
            phone_number TEXT,
            added_at INTEGER NOT NULL,
            is_suspended INTEGER NOT NULL,
            PRIMARY KEY (account, place)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE unique_keys (key BLOB PRIMARY KEY, account BLOB NOT NULL) STRICT, WITHOUT ROWID",
        """
        CREATE TABLE email_references (
            email BLOB NOT NULL,
            strength INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            account BLOB NOT NULL,
            PRIMARY KEY (email, strength DESC, created_at, account)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE email_lists (email BLOB PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        """
        CREATE TABLE sessions (
            id BLOB PRIMARY KEY,
            account BLOB NOT NULL,
            method TEXT NOT NULL,
            provider TEXT NOT NULL,
            device_name TEXT,
            created_at INTEGER NOT NULL,
            active_at INTEGER NOT NULL,
            expires_at INTEGER,
            refresh_count INTEGER NOT NULL,
            record TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX sessions_of ON sessions (account)",
        "CREATE INDEX sessions_expiring ON sessions (expires_at) WHERE expires_at IS NOT NULL",
        """
        CREATE TABLE one_time_records (
            id BLOB PRIMARY KEY,
            account BLOB,
            purpose TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            record TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX records_of ON one_time_records (account, purpose) WHERE account IS NOT NULL",
        "CREATE INDEX records_expiring ON one_time_records (expires_at) WHERE expires_at IS NOT NULL",
        """
        CREATE TABLE events (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            incarnation INTEGER NOT NULL,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            account BLOB NOT NULL,
            record TEXT NOT NULL
        ) STRICT
        """,
        "CREATE TABLE incarnations (incarnation INTEGER PRIMARY KEY, first_event INTEGER NOT NULL) STRICT",
        """
        CREATE TABLE messages (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            recipient TEXT NOT NULL,
            account BLOB,
            created_at INTEGER NOT NULL,
            tries INTEGER NOT NULL,
            due_at INTEGER,                -- NULL: it was given up
            record TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX messages_due ON messages (due_at) WHERE due_at IS NOT NULL",
        "CREATE INDEX messages_failed ON messages (id) WHERE due_at IS NULL",
        "CREATE TABLE operations (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, at INTEGER NOT NULL) STRICT",
        "CREATE INDEX operations_at ON operations (at)",
        """
        CREATE TABLE attempts (
            purpose INTEGER NOT NULL,
            bucket INTEGER NOT NULL,
            counts TEXT NOT NULL,
            PRIMARY KEY (purpose, bucket)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// What a person reads: IDs as text and times as dates; the same views as in the other store.
    private static let views = [
        """
        CREATE VIEW readable_accounts AS
        SELECT CAST(id AS TEXT) AS id, status, email, phone_number, display_name,
            datetime(created_at / 1000, 'unixepoch') AS created_at,
            datetime(last_sign_in / 1000, 'unixepoch') AS last_sign_in,
            datetime(due_at / 1000, 'unixepoch') AS due_at, version
        FROM accounts
        """,
        """
        CREATE VIEW readable_methods AS
        SELECT CAST(account AS TEXT) AS account, kind, provider, issuer, subject, email, phone_number,
            datetime(added_at / 1000, 'unixepoch') AS added_at, is_suspended
        FROM sign_in_methods
        """,
        """
        CREATE VIEW readable_addresses AS
        SELECT CAST(email AS TEXT) AS email, CAST(account AS TEXT) AS account,
            CASE strength WHEN 0 THEN 'identity' WHEN 1 THEN 'own' WHEN 2 THEN 'confirmed' END AS strength
        FROM email_references
        """,
        """
        CREATE VIEW readable_sessions AS
        SELECT lower(hex(id)) AS id, CAST(account AS TEXT) AS account, method, provider, device_name,
            datetime(created_at / 1000, 'unixepoch') AS created_at,
            datetime(active_at / 1000, 'unixepoch') AS active_at,
            datetime(expires_at / 1000, 'unixepoch') AS expires_at
        FROM sessions
        """,
        """
        CREATE VIEW readable_events AS
        SELECT incarnation, number, datetime(at / 1000, 'unixepoch') AS at, kind, CAST(account AS TEXT) AS account, record
        FROM events
        """,
        """
        CREATE VIEW readable_messages AS
        SELECT lower(hex(id)) AS id, kind, recipient, CAST(account AS TEXT) AS account,
            datetime(created_at / 1000, 'unixepoch') AS created_at, tries,
            datetime(due_at / 1000, 'unixepoch') AS due_at, due_at IS NULL AS has_failed
        FROM messages
        """,
    ]

    static func setVersion(_ version: Int) -> String { "PRAGMA user_version = \(version)" }
}
#endif
