#if PostgreSQL
/// The function that answers all lookups of a decision.
///
/// It is stable: all that it reads is of the moment at which the one statement began that calls it.
extension Schema {
    /// Its rows say at which place their lookup was, and what they are.
    ///
    /// A lookup is of an `a`ccount, an `o`wner, accounts that `m`ention an address, a `s`ession, a one-time `r`ecord,
    /// or all `S`essions or `R`ecords of an account; a row has an `a`ccount, a `t`ombstone, a `s`ession, a one-time
    /// `r`ecord, or the `v`ersion of a list of references.
    static let load = """
        CREATE FUNCTION load(_kinds text, _names text[], _ids uuid[], _keys bytea[], _purposes text[])
        RETURNS TABLE (place bigint, kind text, record text, number bigint, account text)
        LANGUAGE plpgsql STABLE
        SET search_path FROM CURRENT
        SET enable_seqscan = off
        SET jit = off
        AS $load$
        #variable_conflict use_column
        DECLARE
            _kind text;
            _name text;
        BEGIN
            FOR _i IN 1..coalesce(length(_kinds), 0) LOOP
                _kind := substr(_kinds, _i, 1);
                _name := _names[_i];
                place := _i - 1;
                IF _keys[_i] IS NOT NULL THEN SELECT k.owner INTO _name FROM keys k WHERE k.key = _keys[_i]; END IF;
                IF _kind = 's' THEN
                    kind := 's';
                    SELECT s.record, NULL::bigint, NULL INTO record, number, account
                        FROM sessions s WHERE s.id = _ids[_i];
                    IF FOUND THEN RETURN NEXT; END IF;
                ELSIF _kind = 'r' THEN
                    kind := 'r';
                    SELECT r.record, NULL::bigint, r.account INTO record, number, account
                        FROM records r WHERE r.id = _ids[_i];
                    IF FOUND THEN RETURN NEXT; END IF;
                    _name := account;
                ELSIF _kind = 'm' THEN
                    kind := 'v';
                    SELECT NULL, l.version, NULL INTO record, number, account
                        FROM email_lists l WHERE l.email = _name;
                    IF FOUND THEN
                        RETURN NEXT;
                        RETURN QUERY
                            SELECT _i - 1::bigint, 'a', a.record, s.at, a.id
                            FROM (SELECT * FROM email_references r WHERE r.email = _name
                                ORDER BY r.strength DESC, r.created_at, r.account LIMIT 8) r
                            JOIN accounts a ON a.id = r.account
                            LEFT JOIN sign_ins s ON s.account = a.id
                            ORDER BY r.strength DESC, r.created_at, r.account;
                    END IF;
                ELSIF _kind = 'S' THEN
                    RETURN QUERY SELECT _i - 1::bigint, 's', s.record, NULL::bigint, NULL
                        FROM sessions s WHERE s.account = _name;
                ELSIF _kind = 'R' THEN
                    RETURN QUERY SELECT _i - 1::bigint, 'r', r.record, NULL::bigint, NULL
                        FROM records r WHERE r.account = _name AND r.purpose = _purposes[_i];
                END IF;
                IF _kind IN ('a', 'o', 'r') AND _name IS NOT NULL THEN
                    kind := 'a';
                    SELECT a.record, s.at, a.id INTO record, number, account
                        FROM accounts a LEFT JOIN sign_ins s ON s.account = a.id WHERE a.id = _name;
                    IF FOUND THEN
                        RETURN NEXT;
                    ELSIF _kind = 'a' THEN
                        kind := 't';
                        SELECT r.record, NULL::bigint, NULL INTO record, number, account
                            FROM records r WHERE r.id = _ids[_i];
                        IF FOUND THEN RETURN NEXT; END IF;
                    END IF;
                END IF;
            END LOOP;
        END
        $load$
        """
}
#endif
