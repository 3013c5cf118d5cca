-- Every change is an action, every item that moves a posting, every keyed request a
-- reply: rows that are only ever added, in the same transaction as the change.

-- Who did what, to whom, why. By month, so that a year of a busy server can be
-- dropped by the month; ids are made in the order of time.
CREATE TABLE actions (
    id          uuid NOT NULL,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The transaction that wrote it: whoever follows the log knows by this what is
    -- complete. Ids and times are not in the order of commits.
    xid         xid8 NOT NULL DEFAULT pg_current_xact_id(),
    kind        text NOT NULL,
    actor       text NOT NULL,
    actor_name  text NOT NULL,
    player_id   uuid,
    user_id     uuid,
    item_id     uuid,
    before      jsonb,
    after       jsonb,
    reason      text,
    request_id  text NOT NULL,
    address     text NOT NULL,
    undoes      uuid,
    CONSTRAINT actions_pkey PRIMARY KEY (id, at),
    CONSTRAINT actions_reason_length CHECK (char_length(reason) <= 500)
) PARTITION BY RANGE (at);
CREATE INDEX actions_xid_idx ON actions (xid, id);
CREATE INDEX actions_player_idx ON actions (player_id, id) WHERE player_id IS NOT NULL;
CREATE INDEX actions_user_idx ON actions (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX actions_actor_idx ON actions (actor, id);
CREATE INDEX actions_item_idx ON actions (item_id, id) WHERE item_id IS NOT NULL;
CREATE INDEX actions_undoes_idx ON actions (undoes) WHERE undoes IS NOT NULL;

-- How far each player's postings have come. Narrow and apart from the player, so
-- that a gift does not write the whole character anew.
CREATE TABLE ledger_heads (
    player_id   uuid PRIMARY KEY,
    seq         bigint NOT NULL,
    at          timestamptz NOT NULL,
    CONSTRAINT ledger_heads_player_fkey FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE
);

-- One item, one slot, one move: `quantity` came from the account `against` (or went
-- to it, if negative). What lay in the slot before and after is kept too, so that
-- the past can be read from either end.
CREATE TABLE postings (
    player_id   uuid NOT NULL,
    seq         bigint NOT NULL,                -- the player's own, without gaps
    at          timestamptz NOT NULL,           -- never before that of the posting before it
    xid         xid8 NOT NULL DEFAULT pg_current_xact_id(),
    action_id   uuid NOT NULL,
    place       text NOT NULL,
    inside      uuid,                           -- which bag, if the place is one
    slot        int NOT NULL,
    item_id     uuid NOT NULL,
    quantity    int NOT NULL,
    against     text NOT NULL,
    held_before int NOT NULL,
    held_after  int NOT NULL,
    stat_buffs  int[] NOT NULL,
    bag_id      uuid,
    CONSTRAINT postings_pkey PRIMARY KEY (player_id, seq, at),
    CONSTRAINT postings_place_known CHECK (place IN ('inventory', 'bank', 'bag')),
    CONSTRAINT postings_inside_bags_only CHECK ((place = 'bag') = (inside IS NOT NULL)),
    CONSTRAINT postings_against_known CHECK (
        against IN ('grant', 'removal', 'import', 'demo', 'undo', 'restore', 'move')
    ),
    CONSTRAINT postings_moves_something CHECK (quantity <> 0),
    CONSTRAINT postings_adds_up CHECK (
        held_before >= 0 AND held_after >= 0 AND held_after - held_before = quantity
    )
) PARTITION BY RANGE (at);
CREATE INDEX postings_xid_idx ON postings (xid);

-- What was answered to requests with an Idempotency-Key. The body is dropped after
-- thirty days, the row never.
CREATE TABLE replies (
    caller      text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,                 -- a keyed hash of the request
    status      int,
    body        bytea,
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT replies_pkey PRIMARY KEY (caller, key),
    CONSTRAINT replies_key_length CHECK (char_length(key) BETWEEN 1 AND 255)
);
CREATE INDEX replies_body_idx ON replies (created_at) WHERE body IS NOT NULL;

-- Three years of months, and a place for what nobody foresaw.
DO $$
DECLARE
    relation text;
    month date;
BEGIN
    FOREACH relation IN ARRAY ARRAY['actions', 'postings'] LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', relation || '_default', relation);
        FOR number IN 0..35 LOOP
            month := date '2026-11-01' + make_interval(months => number);
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                relation || to_char(month, '_YYYY_MM'), relation,
                month::timestamp AT TIME ZONE 'UTC',
                (month + interval '1 month') AT TIME ZONE 'UTC'
            );
        END LOOP;
    END LOOP;
END $$;
