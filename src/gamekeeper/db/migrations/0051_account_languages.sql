-- The language in which an account is written to, as a BCP 47 tag; null: the operator's default.
-- Not an enumeration: a version that adds a language must not need a migration.
ALTER TABLE users ADD COLUMN language text;

-- NOT VALID, because the column is new: no row has a value that could be wrong, and validating
-- would read the whole table under the lock that keeps everybody out.
ALTER TABLE users
    ADD CONSTRAINT users_language_is_a_tag
    CHECK (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$') NOT VALID;
