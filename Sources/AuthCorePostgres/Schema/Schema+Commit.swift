#if PostgreSQL
/// The function that writes a whole change, or answers which precondition does not hold.
///
/// Every commit locks rows in the same order: accounts, lists of references and keys, within each by their keys, then
/// records and sessions, by their IDs as far as the order of the change does not matter. Where two still lock each
/// other out, the server stops one, which is sent again. What a change expects to be absent is inserted, so that of two
/// commits one waits for the other. A violation ends the inner block, which takes back what was written, and is an
/// answer.
extension Schema {
    static let commit = """
        CREATE FUNCTION commit(
            _operation uuid, _rule text,
            _account_steps text, _account_ids text[], _account_expected bigint[], _account_versions bigint[],
            _account_due bigint[], _account_created bigint[], _account_emails text[], _account_phones text[],
            _account_names text[], _account_statuses text[], _account_records text[], _account_tombstones uuid[],
            _method_accounts text[], _method_places bigint[], _method_kinds text[], _method_providers text[],
            _method_issuers text[], _method_subjects text[], _method_emails text[], _method_phones text[],
            _method_added bigint[], _method_suspended boolean[],
            _list_emails text[], _list_expected bigint[], _list_first bigint[], _list_last bigint[],
            _reference_accounts text[], _reference_created bigint[], _reference_strengths bigint[],
            _keys bytea[], _key_expected text[], _key_owners text[],
            _record_steps text, _record_ids uuid[], _record_accounts text[], _record_purposes text[],
            _record_created bigint[], _record_expires bigint[], _record_records text[],
            _session_steps text, _session_ids uuid[], _session_accounts text[], _session_expected bigint[],
            _session_refreshes bigint[], _session_created bigint[], _session_active bigint[],
            _session_expires bigint[], _session_methods text[], _session_providers text[],
            _session_devices text[], _session_records text[],
            _sign_in_accounts text[], _sign_in_times bigint[],
            _event_times bigint[], _event_accounts text[], _event_kinds text[], _event_records text[],
            _message_ids uuid[], _message_due bigint[], _message_created bigint[], _message_kinds text[],
            _message_recipients text[], _message_accounts text[], _message_records text[],
            OUT answer text, OUT place bigint
        )
        LANGUAGE plpgsql
        SET search_path FROM CURRENT
        SET enable_seqscan = off
        SET jit = off
        AS $commit$
        #variable_conflict use_column
        DECLARE
            _incarnation bigint;
            _stored_rule text;
            _version bigint;
            _before text[];
            _after text[];
            _step text;
        BEGIN
            INSERT INTO operations (id) VALUES (_operation) ON CONFLICT DO NOTHING;
            IF NOT FOUND THEN
                answer := 'duplicate';
                RETURN;
            END IF;
            SELECT s.incarnation, s.key_rule INTO _incarnation, _stored_rule FROM store s WHERE s.one;
            IF _rule IS NOT NULL AND _stored_rule IS DISTINCT FROM _rule THEN
                UPDATE store SET key_rule = _rule WHERE one AND key_rule IS NULL;
                SELECT s.key_rule INTO _stored_rule FROM store s WHERE s.one;
                IF _stored_rule <> _rule THEN
                    answer := 'keyRule ' || _stored_rule;
                    RAISE SQLSTATE 'AC001';
                END IF;
            END IF;
        \(commitAccounts)
        \(commitLists)
        \(commitKeys)
        \(commitRecords)
        \(commitSessions)
        \(commitRest)
            answer := 'committed';
        EXCEPTION WHEN SQLSTATE 'AC001' THEN
            RETURN;
        END
        $commit$
        """

    /// Sign-ins, events and messages, which have no preconditions.
    private static let commitRest = """
            FOR _i IN 1..coalesce(cardinality(_sign_in_accounts), 0) LOOP
                INSERT INTO sign_ins (account, at)
                    SELECT a.id, _sign_in_times[_i] FROM accounts a WHERE a.id = _sign_in_accounts[_i]
                    ON CONFLICT (account) DO UPDATE SET at = EXCLUDED.at;
            END LOOP;
            FOR _i IN 1..coalesce(cardinality(_event_times), 0) LOOP
                INSERT INTO events (incarnation, transaction, number, at, account, kind, record)
                    VALUES (_incarnation, pg_current_xact_id(), _i, _event_times[_i], _event_accounts[_i],
                        _event_kinds[_i], _event_records[_i]);
            END LOOP;
            FOR _i IN 1..coalesce(cardinality(_message_ids), 0) LOOP
                INSERT INTO messages (id, due_at, created_at, kind, recipient, account, record)
                    VALUES (_message_ids[_i], _message_due[_i], _message_created[_i], _message_kinds[_i],
                        _message_recipients[_i], _message_accounts[_i], _message_records[_i]);
            END LOOP;
        """
}
#endif
