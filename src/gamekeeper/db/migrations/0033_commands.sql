-- Commands to the live game: kick, kill, warp, message, and whatever a game makes of `custom`.
-- A row is one command and its state; docs/decisions/0039-commands.md has the state machine.

CREATE TABLE commands (
    id           uuid PRIMARY KEY,              -- in the order of time
    kind         text NOT NULL,
    -- Either a character, wherever it plays, or a server. Without foreign keys: what was
    -- sent stays known when the character or the server is gone.
    player_id    uuid,
    server_id    uuid,
    payload      jsonb NOT NULL DEFAULT '{}',
    state        text NOT NULL DEFAULT 'waiting',
    reason       text,
    sent_by      text NOT NULL,                 -- the actor, as in `actions`
    sent_by_name text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- Not fetched, or fetched and not answered, by then: expired, whatever `state` says.
    expires_at   timestamptz NOT NULL,
    delivered_to uuid,                          -- the server that got it: no other ever does
    fence        int,                           -- the process of that server
    delivered_at timestamptz,                   -- the last time, if it was delivered again
    answered_at  timestamptz,
    answer       text,
    CONSTRAINT commands_kind_known
        CHECK (kind IN ('kick', 'kill', 'warp', 'message', 'custom')),
    CONSTRAINT commands_state_known
        CHECK (state IN ('waiting', 'delivered', 'done', 'failed', 'expired')),
    CONSTRAINT commands_one_target CHECK ((player_id IS NULL) <> (server_id IS NULL)),
    CONSTRAINT commands_delivered_somewhere
        CHECK (state NOT IN ('delivered', 'done', 'failed') OR delivered_to IS NOT NULL),
    CONSTRAINT commands_payload_object CHECK (jsonb_typeof(payload) = 'object'),
    CONSTRAINT commands_answer_length CHECK (char_length(answer) <= 500)
);
-- What a server fetches: for those who play on it, for itself, and what it never answered.
CREATE INDEX commands_waiting_player_idx ON commands (player_id)
    WHERE state = 'waiting' AND player_id IS NOT NULL;
CREATE INDEX commands_waiting_server_idx ON commands (server_id)
    WHERE state = 'waiting' AND server_id IS NOT NULL;
CREATE INDEX commands_unanswered_idx ON commands (delivered_to) WHERE state = 'delivered';
-- What expires next.
CREATE INDEX commands_open_idx ON commands (expires_at) WHERE state IN ('waiting', 'delivered');
-- The lists, newest first, and retention.
CREATE INDEX commands_player_idx ON commands (player_id, id DESC) WHERE player_id IS NOT NULL;
CREATE INDEX commands_server_idx ON commands (server_id, id DESC) WHERE server_id IS NOT NULL;
CREATE INDEX commands_delivered_idx ON commands (delivered_to, id DESC)
    WHERE delivered_to IS NOT NULL;
CREATE INDEX commands_created_idx ON commands (created_at);
