-- Filters of lists that a member of staff saved under a name, for the console. They are the
-- person's own: users/staff/saved_filters.py bounds how many there are, erasure deletes them.
CREATE TABLE saved_filters (
    id       uuid PRIMARY KEY,
    user_id  uuid NOT NULL,
    list     text COLLATE "C" NOT NULL,
    name     text NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    query    text NOT NULL,                  -- of the console's address, without the `?`
    saved_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT saved_filters_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT saved_filters_name_once UNIQUE (user_id, list, name_key),
    CONSTRAINT saved_filters_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
    CONSTRAINT saved_filters_query_length CHECK (char_length(query) BETWEEN 1 AND 1000)
);
