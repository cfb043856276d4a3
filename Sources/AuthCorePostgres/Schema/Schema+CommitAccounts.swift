#if PostgreSQL
/// The parts of the commit that write accounts, their references to addresses, and their keys.
extension Schema {
    /// Accounts in the order of their IDs: `c`reated, `u`pdated, `d`eleted, or only `r`ead.
    static let commitAccounts = """
            FOR _i IN 1..coalesce(length(_account_steps), 0) LOOP
                _step := substr(_account_steps, _i, 1);
                place := _i;
                answer := 'version';
                IF _step = 'c' THEN
                    answer := 'absent';
                    INSERT INTO accounts (id, version, due_at, created_at, email, phone_number, display_name, status,
                            record)
                        VALUES (_account_ids[_i], _account_versions[_i], _account_due[_i], _account_created[_i],
                            _account_emails[_i], _account_phones[_i], _account_names[_i], _account_statuses[_i],
                            _account_records[_i])
                        ON CONFLICT DO NOTHING;
                ELSIF _step = 'u' THEN
                    UPDATE accounts a SET version = _account_versions[_i], due_at = _account_due[_i],
                            email = _account_emails[_i], phone_number = _account_phones[_i],
                            display_name = _account_names[_i], status = _account_statuses[_i],
                            record = _account_records[_i]
                        WHERE a.id = _account_ids[_i] AND a.version = _account_expected[_i];
                ELSIF _step = 'd' THEN
                    DELETE FROM accounts a WHERE a.id = _account_ids[_i] AND a.version = _account_expected[_i];
                ELSE
                    PERFORM 1 FROM accounts a
                        WHERE a.id = _account_ids[_i] AND a.version = _account_expected[_i] FOR SHARE;
                END IF;
                IF NOT FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                IF _step = 'c' THEN
                    -- A tombstone that was put meanwhile is seen now: the account was removed before it could be created.
                    PERFORM 1 FROM records r WHERE r.id = _account_tombstones[_i];
                    IF FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                ELSIF _step = 'd' THEN
                    DELETE FROM methods m WHERE m.account = _account_ids[_i];
                    DELETE FROM sign_ins s WHERE s.account = _account_ids[_i];
                ELSIF _step = 'u' THEN
                    -- Only rows that differ are written.
                    DELETE FROM methods m WHERE m.account = _account_ids[_i] AND NOT EXISTS (
                        SELECT FROM unnest(_method_accounts, _method_places, _method_kinds, _method_providers,
                            _method_issuers, _method_subjects, _method_emails, _method_phones, _method_added,
                            _method_suspended)
                            n(account, place, kind, provider, issuer, subject, email, phone, added, suspended)
                        WHERE (n.account, n.place, n.kind, n.provider, n.added, n.suspended)
                            = (m.account, m.place, m.kind, m.provider, m.added_at, m.is_suspended)
                            AND (n.issuer, n.subject, n.email, n.phone)
                            IS NOT DISTINCT FROM (m.issuer, m.subject, m.email, m.phone_number));
                END IF;
            END LOOP;
            IF _method_accounts IS NOT NULL THEN
                INSERT INTO methods
                    SELECT * FROM unnest(_method_accounts, _method_places, _method_kinds, _method_providers,
                        _method_issuers, _method_subjects, _method_emails, _method_phones, _method_added,
                        _method_suspended)
                    ON CONFLICT DO NOTHING;
            END IF;
        """

    /// The lists of references that were read or are changed, in the order of their addresses.
    ///
    /// An empty list has no row; to lock it, one is made and removed again. The first eight references decide about the
    /// version.
    static let commitLists = """
            FOR _i IN 1..coalesce(cardinality(_list_emails), 0) LOOP
                LOOP
                    SELECT l.version INTO _version FROM email_lists l WHERE l.email = _list_emails[_i] FOR UPDATE;
                    EXIT WHEN FOUND;
                    INSERT INTO email_lists VALUES (_list_emails[_i], 0) ON CONFLICT DO NOTHING;
                END LOOP;
                IF _version <> _list_expected[_i] THEN
                    place := _i;
                    answer := 'references';
                    RAISE SQLSTATE 'AC001';
                END IF;
                _after := '{}';
                IF _list_first[_i] <= _list_last[_i] THEN
                    _before := first_references(_list_emails[_i]);
                    FOR _j IN _list_first[_i].._list_last[_i] LOOP
                        IF _reference_strengths[_j] IS NULL THEN
                            DELETE FROM email_references r
                                WHERE r.email = _list_emails[_i] AND r.account = _reference_accounts[_j];
                        ELSE
                            INSERT INTO email_references AS r
                                VALUES (_list_emails[_i], _reference_accounts[_j], _reference_created[_j],
                                    _reference_strengths[_j])
                                ON CONFLICT (email, account) DO UPDATE
                                    SET created_at = EXCLUDED.created_at, strength = EXCLUDED.strength;
                        END IF;
                    END LOOP;
                    _after := first_references(_list_emails[_i]);
                    IF _after <> _before AND _after <> '{}' THEN
                        _version := nextval('email_list_versions');
                        UPDATE email_lists l SET version = _version WHERE l.email = _list_emails[_i];
                    END IF;
                END IF;
                IF _version = 0 OR _list_first[_i] <= _list_last[_i] AND _after = '{}' THEN
                    DELETE FROM email_lists l WHERE l.email = _list_emails[_i];
                END IF;
            END LOOP;
        """

    /// The references that a lookup finds, as texts to compare.
    static let firstReferences = """
        CREATE FUNCTION first_references(_email text) RETURNS text[]
        LANGUAGE plpgsql
        SET search_path FROM CURRENT
        AS $first$
        BEGIN
            RETURN ARRAY(
                SELECT r.strength || ' ' || r.account FROM email_references r WHERE r.email = _email
                ORDER BY r.strength DESC, r.created_at, r.account LIMIT 8
            );
        END
        $first$
        """

    /// Keys in the order of their bytes, each with the owner before and after.
    static let commitKeys = """
            answer := 'owner';
            FOR _i IN 1..coalesce(cardinality(_keys), 0) LOOP
                place := _i;
                IF _key_expected[_i] IS NULL THEN
                    INSERT INTO keys VALUES (_keys[_i], coalesce(_key_owners[_i], '')) ON CONFLICT DO NOTHING;
                ELSIF _key_owners[_i] IS NULL THEN
                    DELETE FROM keys k WHERE k.key = _keys[_i] AND k.owner = _key_expected[_i];
                ELSIF _key_owners[_i] = _key_expected[_i] THEN
                    PERFORM 1 FROM keys k WHERE k.key = _keys[_i] AND k.owner = _key_expected[_i] FOR SHARE;
                ELSE
                    UPDATE keys k SET owner = _key_owners[_i]
                        WHERE k.key = _keys[_i] AND k.owner = _key_expected[_i];
                END IF;
                IF NOT FOUND THEN RAISE SQLSTATE 'AC001'; END IF;
                IF _key_expected[_i] IS NULL AND _key_owners[_i] IS NULL THEN
                    DELETE FROM keys k WHERE k.key = _keys[_i];
                END IF;
            END LOOP;
        """
}
#endif
