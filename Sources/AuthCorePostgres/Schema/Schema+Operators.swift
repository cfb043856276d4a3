#if PostgreSQL
/// What operators read and call, with `psql` or through the store.
extension Schema {
    static let operators =
        [moment, accountsView, methodsView, addressesView, sessionsView, eventsView, messagesView, eventLag] + functions

    /// Milliseconds since 1970 as a time, within the range of the type; null for null.
    private static let moment = """
        CREATE FUNCTION moment(_milliseconds bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT AS $moment$
            SELECT to_timestamp(greatest(_milliseconds, -200000000000000) / 1000.0)
        $moment$
        """

    private static let accountsView = """
        CREATE VIEW readable_accounts AS
            SELECT a.id, a.status, a.email, a.phone_number, a.display_name, moment(a.created_at) AS created_at,
                moment(s.at) AS last_sign_in, moment(a.due_at) AS due_at, a.version
            FROM accounts a LEFT JOIN sign_ins s ON s.account = a.id
        """

    private static let methodsView = """
        CREATE VIEW readable_methods AS
            SELECT m.account, m.kind, m.provider, m.issuer, m.subject, m.email, m.phone_number,
                moment(m.added_at) AS added_at, m.is_suspended
            FROM methods m
        """

    private static let addressesView = """
        CREATE VIEW readable_addresses AS
            SELECT r.email, r.account,
                CASE r.strength WHEN 0 THEN 'identity' WHEN 1 THEN 'own' WHEN 2 THEN 'confirmed' END AS strength
            FROM email_references r
        """

    private static let sessionsView = """
        CREATE VIEW readable_sessions AS
            SELECT s.id, s.account, s.method, s.provider, s.device_name, moment(s.created_at) AS created_at,
                moment(s.active_at) AS active_at, moment(s.expires_at) AS expires_at
            FROM sessions s
        """

    private static let eventsView = """
        CREATE VIEW readable_events AS
            SELECT e.incarnation, e.transaction, e.number, moment(e.at) AS at, e.kind, e.account, e.record
            FROM events e
        """

    private static let messagesView = """
        CREATE VIEW readable_messages AS
            SELECT m.id, m.kind, m.recipient, m.account, moment(m.created_at) AS created_at, m.tries,
                moment(m.due_at) AS due_at, m.due_at IS NULL AS has_failed
            FROM messages m
        """

    /// How far readers of events are behind, and which transaction they wait for.
    private static let eventLag = """
        CREATE FUNCTION event_lag(OUT transactions bigint, OUT milliseconds bigint)
        LANGUAGE sql STABLE SET search_path FROM CURRENT AS $lag$
            SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint
                    - pg_snapshot_xmin(pg_current_snapshot())::text::bigint),
                coalesce((SELECT max(extract(epoch FROM clock_timestamp() - begun) * 1000) FROM (
                    SELECT xact_start AS begun FROM pg_stat_activity
                        WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
                    UNION ALL SELECT prepared FROM pg_prepared_xacts) t), 0)::bigint
        $lag$
        """

    private static let functions = [
        """
        CREATE FUNCTION remove_everything() RETURNS void
        LANGUAGE plpgsql SET search_path FROM CURRENT AS $everything$
        BEGIN
            -- Commits that have begun end first, so that they are removed too.
            LOCK TABLE operations IN EXCLUSIVE MODE;
            DELETE FROM operations;
            DELETE FROM accounts;
            DELETE FROM methods;
            DELETE FROM sign_ins;
            DELETE FROM keys;
            DELETE FROM email_references;
            DELETE FROM email_lists;
            DELETE FROM sessions;
            DELETE FROM records;
            DELETE FROM events;
            DELETE FROM messages;
            DELETE FROM attempts;
            UPDATE store SET key_rule = NULL, removed_incarnation = 0, removed_transaction = '0', removed_number = 0;
        END
        $everything$
        """,
        """
        CREATE FUNCTION sweep(_now bigint, _limit bigint,
            OUT records bigint, OUT sessions bigint, OUT is_complete boolean)
        LANGUAGE plpgsql
        SET search_path FROM CURRENT
        SET enable_seqscan = off
        SET jit = off
        AS $sweep$
        #variable_conflict use_column
        BEGIN
            -- Arrays, since a plan may run a subquery again for each row, and then more go than the limit.
            DELETE FROM records WHERE id = ANY (ARRAY(
                SELECT r.id FROM records r WHERE r.expires_at <= _now
                ORDER BY r.expires_at LIMIT _limit FOR UPDATE SKIP LOCKED));
            GET DIAGNOSTICS records = ROW_COUNT;
            DELETE FROM sessions WHERE id = ANY (ARRAY(
                SELECT s.id FROM sessions s WHERE s.expires_at <= _now
                ORDER BY s.expires_at LIMIT _limit - sweep.records FOR UPDATE SKIP LOCKED));
            GET DIAGNOSTICS sessions = ROW_COUNT;
            is_complete := NOT EXISTS (SELECT FROM records r WHERE r.expires_at <= _now)
                AND NOT EXISTS (SELECT FROM sessions s WHERE s.expires_at <= _now);
            -- By the server's clock, since those of the processes may differ; as many as two thousand commits a second
            -- leave in the minute between two sweeps.
            FOR _step IN 1..12 LOOP
                DELETE FROM operations WHERE id = ANY (ARRAY(
                    SELECT o.id FROM operations o WHERE o.committed_at < now() - interval '25 hours'
                    ORDER BY o.committed_at LIMIT 10000 FOR UPDATE SKIP LOCKED));
                EXIT WHEN NOT FOUND;
            END LOOP;
        END
        $sweep$
        """,
        """
        CREATE FUNCTION raise_incarnation() RETURNS bigint
        LANGUAGE plpgsql SET search_path FROM CURRENT AS $raise$
        DECLARE _incarnation bigint;
        BEGIN
            -- Commits that have begun end first; those that begin later read the new number.
            LOCK TABLE operations IN EXCLUSIVE MODE;
            -- By the clock, since a database can be restored twice from one copy.
            UPDATE store SET incarnation =
                greatest(incarnation + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
                RETURNING incarnation INTO _incarnation;
            RETURN _incarnation;
        END
        $raise$
        """,
        """
        CREATE FUNCTION remove_events(_before timestamptz) RETURNS bigint
        LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $remove$
        DECLARE
            _limit bigint := extract(epoch FROM _before) * 1000;
            _finished xid8;
            _first events;
            _last events;
            _count bigint;
        BEGIN
            -- One call at a time, while others read and write: else the statements below would be about two beginnings.
            LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE;
            -- Each statement sees what was committed before it: what this bound leaves out became visible later.
            _finished := pg_snapshot_xmin(pg_current_snapshot());
            -- The log loses its beginning and nothing else: an old event stays if it stands behind a newer one.
            -- Only among as many as are removed at once: to look at all old ones each time would take too long.
            SELECT * INTO _first FROM
                (SELECT * FROM events ORDER BY incarnation, transaction, number LIMIT 10000) oldest
                WHERE at >= _limit ORDER BY incarnation, transaction, number LIMIT 1;
            -- A bound that may be missing is no condition of an index, so this too looks at these only.
            SELECT * INTO _last FROM
                (SELECT * FROM events ORDER BY incarnation, transaction, number LIMIT 10000) oldest
                WHERE (_first.number IS NULL OR (incarnation, transaction, number)
                        < (_first.incarnation, _first.transaction, _first.number))
                    AND (incarnation < (SELECT s.incarnation FROM store s)
                        OR transaction < _finished)
                ORDER BY incarnation DESC, transaction DESC, number DESC LIMIT 1;
            IF NOT FOUND THEN RETURN 0; END IF;
            UPDATE store SET removed_incarnation = _last.incarnation, removed_transaction = _last.transaction,
                removed_number = _last.number;
            DELETE FROM events WHERE (incarnation, transaction, number)
                <= (_last.incarnation, _last.transaction, _last.number);
            GET DIAGNOSTICS _count = ROW_COUNT;
            RETURN _count;
        END
        $remove$
        """,
    ]
}
#endif
