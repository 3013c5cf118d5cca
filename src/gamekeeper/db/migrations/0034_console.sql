-- API keys by API. The role that serves may add a key (db/grants.py), but neither change one
-- nor bring a revoked one back: it has no UPDATE of revoked_at, only this function of the owner.

CREATE FUNCTION revoke_api_keys(ids uuid[]) RETURNS SETOF uuid
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE api_keys SET revoked_at = now()
     WHERE revoked_at IS NULL AND id = ANY(ids)
    RETURNING id
$$;

-- Actions by the hour and kind: what a console shows first must not count a day's actions anew.
CREATE TABLE action_counts (
    hour        timestamptz NOT NULL,           -- when the hour began
    kind        text COLLATE "C" NOT NULL,
    count       bigint NOT NULL,
    CONSTRAINT action_counts_pkey PRIMARY KEY (hour, kind)
);
-- Up to which link of the chain they have been counted. One row.
CREATE TABLE action_counts_progress (
    one         boolean NOT NULL DEFAULT true,
    seq         bigint NOT NULL,
    at          timestamptz,                    -- of the last action that was counted
    CONSTRAINT action_counts_progress_pkey PRIMARY KEY (one),
    CONSTRAINT action_counts_progress_one_row CHECK (one)
);
INSERT INTO action_counts_progress (seq) VALUES (0);

-- What changed most in the last two days, of all items: years of other days are not read.
CREATE INDEX item_flows_day_idx ON item_flows (day);

-- Icons of items: an address, or a PNG that is kept here. Apart from the items, which are read
-- with every gift.
CREATE TABLE item_icons (
    item_id     uuid PRIMARY KEY,
    address     text,
    png         bytea,
    digest      text,                           -- SHA-256 of the PNG: what its ETag is made of
    CONSTRAINT item_icons_item_fkey FOREIGN KEY (item_id) REFERENCES items ON DELETE CASCADE,
    CONSTRAINT item_icons_one_kind CHECK (num_nonnulls(address, png) = 1),
    CONSTRAINT item_icons_digest_of_png CHECK ((png IS NULL) = (digest IS NULL)),
    CONSTRAINT item_icons_address_length CHECK (char_length(address) BETWEEN 1 AND 500),
    CONSTRAINT item_icons_png_size CHECK (octet_length(png) <= 65536)
);
-- A PNG is compressed already.
ALTER TABLE item_icons ALTER COLUMN png SET STORAGE EXTERNAL;
