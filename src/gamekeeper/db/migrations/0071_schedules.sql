-- Schedules: campaigns at an instant or repeatedly, and campaigns that end by their reversal.

ALTER TABLE campaigns
    -- When the worker reverses it.
    ADD COLUMN ends_at timestamptz,
    -- The schedule that created it. No foreign key: a deleted schedule leaves its campaigns.
    ADD COLUMN schedule_id uuid;
-- The worker looks for these, each second.
CREATE INDEX campaigns_ends_idx ON campaigns (ends_at)
    WHERE ends_at IS NOT NULL
      AND state IN ('preparing', 'ready', 'running', 'paused', 'finished');

CREATE TABLE schedules (
    id               uuid PRIMARY KEY,
    name             text NOT NULL,
    segment          text COLLATE "C" NOT NULL,
    -- The segment as it was when the schedule was created.
    definition       jsonb NOT NULL,
    -- As campaigns/records.py writes it.
    work             jsonb NOT NULL,
    reason           text,
    per_second       int NOT NULL,
    -- Once at an instant, or at each match of a cron expression.
    starts_at        timestamptz,
    cron             text,
    time_zone        text COLLATE "C" NOT NULL,
    -- When a run is reversed: at an instant, or at the first match after its start.
    ends_at          timestamptz,
    ends_cron        text,
    grace_minutes    int NOT NULL,
    max_recipients   int NOT NULL,
    state            text COLLATE "C" NOT NULL DEFAULT 'active',
    -- The next planned instant; null: there is none.
    next_at          timestamptz,
    created_at       timestamptz NOT NULL DEFAULT now(),
    created_by       text NOT NULL,
    created_by_name  text NOT NULL,
    approved_by      text,
    approved_by_name text,
    CONSTRAINT schedules_name_length CHECK (char_length(name) BETWEEN 1 AND 80),
    CONSTRAINT schedules_reason_length CHECK (char_length(reason) <= 500),
    CONSTRAINT schedules_per_second_range CHECK (per_second BETWEEN 1 AND 10000),
    CONSTRAINT schedules_once_or_repeated CHECK (num_nonnulls(starts_at, cron) = 1),
    CONSTRAINT schedules_one_end CHECK (num_nonnulls(ends_at, ends_cron) <= 1),
    CONSTRAINT schedules_state_known CHECK (state IN ('active', 'paused', 'ended'))
);
CREATE INDEX schedules_due_idx ON schedules (next_at) WHERE state = 'active';

-- The key makes a second run of one planned instant impossible, whatever workers do.
CREATE TABLE schedule_runs (
    schedule_id uuid NOT NULL,
    planned_at  timestamptz NOT NULL,
    state       text COLLATE "C" NOT NULL,
    campaign_id uuid,
    -- Why it was refused: the code of an error.
    code        text COLLATE "C",
    at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT schedule_runs_pkey PRIMARY KEY (schedule_id, planned_at),
    CONSTRAINT schedule_runs_schedule_fkey
        FOREIGN KEY (schedule_id) REFERENCES schedules ON DELETE CASCADE,
    CONSTRAINT schedule_runs_state_known CHECK (state IN (
        'preparing', 'started', 'skipped', 'missed', 'refused'))
);
-- Runs whose recipients are being collected: few, and looked for each second.
CREATE INDEX schedule_runs_preparing_idx ON schedule_runs (campaign_id) WHERE state = 'preparing';
