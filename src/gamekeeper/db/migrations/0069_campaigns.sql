-- Campaigns: one piece of work for every member of a segment, carried out by the worker in batches.

CREATE TABLE campaigns (
    id               uuid PRIMARY KEY,
    name             text NOT NULL,
    segment          text COLLATE "C" NOT NULL,
    -- The segment as it was when the campaign was created.
    definition       jsonb NOT NULL,
    -- As campaigns/records.py writes it.
    work             jsonb NOT NULL,
    reason           text,
    per_second       int NOT NULL,
    state            text NOT NULL DEFAULT 'preparing',
    created_at       timestamptz NOT NULL DEFAULT now(),
    created_by       text NOT NULL,
    created_by_name  text NOT NULL,
    started_at       timestamptz,
    started_by       text,
    started_by_name  text,
    approved_by      text,
    approved_by_name text,
    reversed_by      text,
    reversed_by_name text,
    ended_at         timestamptz,
    -- The last character of the phase that was dealt with: collected, reached or reversed.
    cursor           uuid,
    recipients       int NOT NULL DEFAULT 0,
    done             int NOT NULL DEFAULT 0,
    skipped          int NOT NULL DEFAULT 0,
    refused          int NOT NULL DEFAULT 0,
    reversed         int NOT NULL DEFAULT 0,
    kept             int NOT NULL DEFAULT 0,
    fault            text,
    CONSTRAINT campaigns_name_length CHECK (char_length(name) BETWEEN 1 AND 80),
    CONSTRAINT campaigns_reason_length CHECK (char_length(reason) <= 500),
    CONSTRAINT campaigns_per_second_range CHECK (per_second BETWEEN 1 AND 10000),
    CONSTRAINT campaigns_state_known CHECK (state IN (
        'preparing', 'ready', 'running', 'paused', 'stopped', 'finished', 'reversing', 'reversed'))
);
-- What the worker looks for, each second.
CREATE INDEX campaigns_active_idx ON campaigns (created_at)
    WHERE state IN ('preparing', 'running', 'reversing');

-- No foreign key to players: deleting a character must not wait for this table.
CREATE TABLE campaign_recipients (
    campaign_id uuid NOT NULL,
    player_id   uuid NOT NULL,
    state       text COLLATE "C" NOT NULL DEFAULT 'waiting',
    -- Why it was refused, or not reversed: the code of an error.
    code        text COLLATE "C",
    -- What could not be taken back: item, wanted, taken.
    kept        jsonb,
    at          timestamptz,
    CONSTRAINT campaign_recipients_pkey PRIMARY KEY (campaign_id, player_id),
    CONSTRAINT campaign_recipients_campaign_fkey
        FOREIGN KEY (campaign_id) REFERENCES campaigns ON DELETE CASCADE,
    CONSTRAINT campaign_recipients_state_known CHECK (state IN (
        'waiting', 'done', 'skipped', 'refused', 'reversed', 'kept'))
);
-- Erasures delete by character, and lists are filtered by state.
CREATE INDEX campaign_recipients_player_idx ON campaign_recipients (player_id);
CREATE INDEX campaign_recipients_state_idx ON campaign_recipients (campaign_id, state, player_id);
