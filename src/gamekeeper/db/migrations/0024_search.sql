-- Search for any part of a name.

-- PostgreSQL's trigram indexes are of no use for two characters, and none for characters that
-- the database's locale does not call letters. Pairs need no locale.
--
-- The cost tells the planner never to compute this for every row.
CREATE FUNCTION bigrams(name text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
DECLARE
    pairs text[] := '{}';
BEGIN
    FOR place IN 1 .. length(name) - 1 LOOP
        pairs := pairs || substr(name, place, 2);
    END LOOP;
    RETURN pairs;
END
$$;
