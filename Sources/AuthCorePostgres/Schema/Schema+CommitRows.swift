#if PostgreSQL
/// The parts of the commit that write one-time records and sessions.
extension Schema {
    /// One-time records: first what each step expects of what was there, then the steps in their order.
    ///
    /// A step is to `p`ut, `r`eplace, `c`onsume or re`v`oke a record, or to revoke `a`ll of an account with a purpose.
    static let commitRecords = """
            answer := 'record';
            FOR _i IN 1..coalesce(length(_record_steps), 0) LOOP
                _step := substr(_record_steps, _i, 1);
                place := _i;
                IF _step = 'p' THEN
                    PERFORM 1 FROM records r WHERE r.id = _record_ids[_i];
                    IF FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                ELSIF _step IN ('r', 'c') THEN
                    PERFORM 1 FROM records r WHERE r.id = _record_ids[_i] FOR UPDATE;
                    IF NOT FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                END IF;
            END LOOP;
            FOR _i IN 1..coalesce(length(_record_steps), 0) LOOP
                _step := substr(_record_steps, _i, 1);
                place := _i;
                IF _step = 'p' THEN
                    INSERT INTO records (id, account, purpose, created_at, expires_at, record)
                        VALUES (_record_ids[_i], _record_accounts[_i], _record_purposes[_i], _record_created[_i],
                            _record_expires[_i], _record_records[_i])
                        ON CONFLICT DO NOTHING;
                    IF NOT FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                ELSIF _step = 'r' THEN
                    UPDATE records r SET account = _record_accounts[_i], purpose = _record_purposes[_i],
                            created_at = _record_created[_i], expires_at = _record_expires[_i],
                            record = _record_records[_i]
                        WHERE r.id = _record_ids[_i];
                ELSIF _step = 'a' THEN
                    DELETE FROM records r
                        WHERE r.account = _record_accounts[_i] AND r.purpose = _record_purposes[_i];
                ELSE
                    DELETE FROM records r WHERE r.id = _record_ids[_i];
                END IF;
            END LOOP;
        """

    /// Sessions: first what each step expects of what was there, then the steps in their order.
    ///
    /// A step is to `p`ut, `u`pdate or `e`nd a session, to end `a`ll of an account but one, or to end those that were
    /// `l`east used until a number is left.
    static let commitSessions = """
            answer := 'session';
            FOR _i IN 1..coalesce(length(_session_steps), 0) LOOP
                _step := substr(_session_steps, _i, 1);
                place := _i;
                IF _step = 'p' THEN
                    PERFORM 1 FROM sessions s WHERE s.id = _session_ids[_i];
                    IF FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                ELSIF _step = 'u' THEN
                    PERFORM 1 FROM sessions s
                        WHERE s.id = _session_ids[_i] AND s.refresh_count = _session_expected[_i] FOR UPDATE;
                    IF NOT FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                END IF;
            END LOOP;
            FOR _i IN 1..coalesce(length(_session_steps), 0) LOOP
                _step := substr(_session_steps, _i, 1);
                place := _i;
                IF _step = 'u' THEN
                    UPDATE sessions s SET account = _session_accounts[_i], refresh_count = _session_refreshes[_i],
                            created_at = _session_created[_i], active_at = _session_active[_i],
                            expires_at = _session_expires[_i], method = _session_methods[_i],
                            provider = _session_providers[_i],
                            device_name = _session_devices[_i], record = _session_records[_i]
                        WHERE s.id = _session_ids[_i];
                ELSIF _step = 'p' THEN
                    INSERT INTO sessions (id, account, refresh_count, created_at, active_at, expires_at, method,
                            provider, device_name, record)
                        VALUES (_session_ids[_i], _session_accounts[_i], _session_refreshes[_i],
                            _session_created[_i], _session_active[_i], _session_expires[_i], _session_methods[_i],
                            _session_providers[_i], _session_devices[_i], _session_records[_i])
                        ON CONFLICT DO NOTHING;
                    IF NOT FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                ELSIF _step = 'e' THEN
                    DELETE FROM sessions s WHERE s.id = _session_ids[_i];
                ELSIF _step = 'a' THEN
                    DELETE FROM sessions s WHERE s.id IN (
                        SELECT o.id FROM sessions o
                        WHERE o.account = _session_accounts[_i] AND o.id IS DISTINCT FROM _session_ids[_i]
                        ORDER BY o.id FOR UPDATE);
                ELSIF _step = 'l' THEN
                    -- Rows that another commit holds are in use, and are left for the next sign-in.
                    DELETE FROM sessions s WHERE s.id IN (
                        SELECT o.id FROM sessions o
                        WHERE o.account = _session_accounts[_i] AND o.id <> _session_ids[_i]
                        ORDER BY o.active_at DESC, o.id DESC
                        OFFSET greatest(0, _session_expected[_i] - (
                            SELECT count(*) FROM sessions k
                            WHERE k.id = _session_ids[_i] AND k.account = _session_accounts[_i]))
                        FOR UPDATE SKIP LOCKED);
                END IF;
            END LOOP;
        """
}
#endif
