#if PostgreSQL
/// The tables of version 1.
///
/// Whatever the store compares is a column of its own, compared by its bytes. What `record` contains is the truth about
/// a row; the other columns follow it, for indexes and for people.
extension Schema {
    static let tables = [
        """
        CREATE TABLE store (
            one boolean PRIMARY KEY DEFAULT true CHECK (one),
            incarnation bigint NOT NULL DEFAULT 0,
            key_rule text,
            removed_incarnation bigint NOT NULL DEFAULT 0,
            removed_transaction xid8 NOT NULL DEFAULT '0',
            removed_number bigint NOT NULL DEFAULT 0
        )
        """,
        "INSERT INTO store DEFAULT VALUES",
        "CREATE TABLE operations (id uuid PRIMARY KEY, committed_at timestamptz NOT NULL DEFAULT now())",
        "CREATE INDEX operations_committed ON operations (committed_at)",
        """
        CREATE TABLE accounts (
            id text COLLATE "C" PRIMARY KEY,
            version bigint NOT NULL,
            due_at bigint,
            created_at bigint NOT NULL,
            email text COLLATE "C",
            phone_number text COLLATE "C",
            display_name text,
            status text NOT NULL,
            record text NOT NULL
        )
        """,
        "CREATE INDEX accounts_due ON accounts (due_at, id) WHERE due_at IS NOT NULL",
        """
        CREATE TABLE methods (
            account text COLLATE "C" NOT NULL,
            place bigint NOT NULL,
            kind text NOT NULL,
            provider text NOT NULL,
            issuer text COLLATE "C",
            subject text COLLATE "C",
            email text COLLATE "C",
            phone_number text COLLATE "C",
            added_at bigint NOT NULL,
            is_suspended boolean NOT NULL,
            PRIMARY KEY (account, place)
        )
        """,
        "CREATE TABLE sign_ins (account text COLLATE \"C\" PRIMARY KEY, at bigint NOT NULL)",
        "CREATE TABLE keys (key bytea PRIMARY KEY, owner text COLLATE \"C\" NOT NULL)",
        """
        CREATE TABLE email_references (
            email text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            strength bigint NOT NULL,
            PRIMARY KEY (email, account)
        )
        """,
        "CREATE INDEX email_references_order ON email_references (email, strength DESC, created_at, account)",
        "CREATE TABLE email_lists (email text COLLATE \"C\" PRIMARY KEY, version bigint NOT NULL)",
        "CREATE SEQUENCE email_list_versions",
        """
        CREATE TABLE sessions (
            id uuid PRIMARY KEY,
            account text COLLATE "C" NOT NULL,
            refresh_count bigint NOT NULL,
            created_at bigint NOT NULL,
            active_at bigint NOT NULL,
            expires_at bigint,
            method text NOT NULL,
            provider text NOT NULL,
            device_name text,
            record text NOT NULL
        )
        """,
        "CREATE INDEX sessions_of_account ON sessions (account, active_at, id)",
        "CREATE INDEX sessions_expiring ON sessions (expires_at) WHERE expires_at IS NOT NULL",
        """
        CREATE TABLE records (
            id uuid PRIMARY KEY,
            account text COLLATE "C",
            purpose text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint,
            record text NOT NULL
        )
        """,
        "CREATE INDEX records_of_account ON records (account, purpose) WHERE account IS NOT NULL",
        "CREATE INDEX records_expiring ON records (expires_at) WHERE expires_at IS NOT NULL",
        """
        CREATE TABLE events (
            incarnation bigint NOT NULL,
            transaction xid8 NOT NULL,
            number bigint NOT NULL,
            at bigint NOT NULL,
            account text COLLATE "C" NOT NULL,
            kind text NOT NULL,
            record text NOT NULL,
            PRIMARY KEY (incarnation, transaction, number)
        )
        """,
        """
        CREATE TABLE messages (
            id uuid PRIMARY KEY,
            number bigint GENERATED ALWAYS AS IDENTITY,
            tries bigint NOT NULL DEFAULT 1,
            due_at bigint,
            created_at bigint NOT NULL,
            kind text NOT NULL,
            recipient text NOT NULL,
            account text COLLATE "C",
            record text NOT NULL
        )
        """,
        "CREATE INDEX messages_due ON messages (due_at, number) WHERE due_at IS NOT NULL",
        "CREATE INDEX messages_failed ON messages (id) WHERE due_at IS NULL",
        """
        CREATE TABLE attempts (
            purpose bigint NOT NULL,
            bucket bigint NOT NULL,
            counts text NOT NULL,
            PRIMARY KEY (purpose, bucket)
        ) WITH (fillfactor = 50)
        """,
    ]
}
#endif
