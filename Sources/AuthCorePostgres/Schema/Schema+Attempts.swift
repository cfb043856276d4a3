#if PostgreSQL
extension Schema {
    /// The function that writes the counts of attempts, if they are still what the caller read; else it returns what
    /// they are.
    ///
    /// The buckets of a call are locked in the order of the arguments, whether or not they have rows.
    static let exchangeAttempts = """
        CREATE FUNCTION exchange_attempts(_purposes bigint[], _buckets bigint[], _old text[], _new text[])
        RETURNS TABLE (place bigint, counts text)
        LANGUAGE plpgsql
        SET search_path FROM CURRENT
        SET enable_seqscan = off
        SET jit = off
        AS $exchange$
        #variable_conflict use_column
        DECLARE
            _current text[];
            _counts text;
        BEGIN
            FOR _i IN 1..cardinality(_buckets) LOOP
                PERFORM pg_advisory_xact_lock((1094926336 + _purposes[_i])::int, _buckets[_i]::int);
            END LOOP;
            FOR _i IN 1..cardinality(_buckets) LOOP
                SELECT a.counts INTO _counts FROM attempts a
                    WHERE a.purpose = _purposes[_i] AND a.bucket = _buckets[_i];
                _current := array_append(_current, _counts);
            END LOOP;
            IF _current IS DISTINCT FROM _old THEN
                FOR _i IN 1..cardinality(_buckets) LOOP
                    place := _i - 1;
                    counts := _current[_i];
                    RETURN NEXT;
                END LOOP;
                RETURN;
            END IF;
            FOR _i IN 1..cardinality(_buckets) LOOP
                IF _new[_i] IS NULL THEN
                    DELETE FROM attempts a WHERE a.purpose = _purposes[_i] AND a.bucket = _buckets[_i];
                ELSIF _new[_i] IS DISTINCT FROM _old[_i] THEN
                    INSERT INTO attempts VALUES (_purposes[_i], _buckets[_i], _new[_i])
                        ON CONFLICT (purpose, bucket) DO UPDATE SET counts = EXCLUDED.counts;
                END IF;
            END LOOP;
        END
        $exchange$
        """
}
#endif
