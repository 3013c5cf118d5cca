-- The rate limits that an API key carries, in the operator's words ('write 100/second'), instead of
-- those of the settings. Words and not numbers: they are shown as they were given, and a version
-- that lacks one of the classes ignores it.

ALTER TABLE api_keys
    ADD COLUMN rates text,
    ADD CONSTRAINT api_keys_rates_length CHECK (char_length(rates) BETWEEN 1 AND 200);
