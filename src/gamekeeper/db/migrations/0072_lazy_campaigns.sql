-- Lazy campaigns: a letter that is created when a character next joins a game server.

ALTER TABLE campaigns
    ADD COLUMN on_join boolean NOT NULL DEFAULT false,
    -- Recipients are not known before they join, so limits and approvals need a bound.
    ADD COLUMN max_recipients int,
    ADD CONSTRAINT campaigns_on_join_bounded
        CHECK (NOT on_join OR (ends_at IS NOT NULL AND max_recipients IS NOT NULL));
-- Each join looks for these: few rows, whatever the number of campaigns.
CREATE INDEX campaigns_on_join_idx ON campaigns (id) WHERE on_join AND state = 'running';

ALTER TABLE schedules ADD COLUMN on_join boolean NOT NULL DEFAULT false;

-- The counts of a lazy campaign, in up to sixteen parts, so that joins do not wait for each other. A
-- join locks one of them until it commits; a pause or stop closes all, and so waits for the joins
-- that deliver, and later ones see it.
CREATE TABLE campaign_counts (
    campaign_id uuid NOT NULL,
    part        int NOT NULL,
    open        boolean NOT NULL DEFAULT false,
    -- How many more recipients this part allows.
    room        int NOT NULL,
    done        int NOT NULL DEFAULT 0,
    -- Negative if a character was refused by way of another part.
    refused     int NOT NULL DEFAULT 0,
    CONSTRAINT campaign_counts_pkey PRIMARY KEY (campaign_id, part),
    CONSTRAINT campaign_counts_campaign_fkey
        FOREIGN KEY (campaign_id) REFERENCES campaigns ON DELETE CASCADE,
    CONSTRAINT campaign_counts_room_not_negative CHECK (room >= 0)
)
-- Updated at each join: room on the page for the new versions.
WITH (fillfactor = 50);
