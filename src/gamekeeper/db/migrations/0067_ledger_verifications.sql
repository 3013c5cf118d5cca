-- Verifications of the ledger that staff started by the API: one at a time, run by a worker.

CREATE TABLE ledger_verifications (
    id                  uuid PRIMARY KEY,           -- of the action that started it
    state               text NOT NULL DEFAULT 'waiting',
    requested_at        timestamptz NOT NULL DEFAULT now(),
    requested_by_name   text NOT NULL,
    begun_at            timestamptz,
    -- The worker renews it every few seconds. A verification that runs without it has lost its
    -- worker.
    heartbeat_at        timestamptz,
    ended_at            timestamptz,
    done                bigint NOT NULL DEFAULT 0,  -- postings
    total               bigint NOT NULL DEFAULT 0,
    faults              jsonb NOT NULL DEFAULT '[]',    -- [{"law": …, "count": …, "truncated": …}]
    CONSTRAINT ledger_verifications_state_known CHECK (
        state IN ('waiting', 'running', 'clean', 'faults', 'interrupted')
    ),
    CONSTRAINT ledger_verifications_begun CHECK ((begun_at IS NULL) = (heartbeat_at IS NULL)),
    CONSTRAINT ledger_verifications_ended CHECK (
        (state IN ('waiting', 'running')) = (ended_at IS NULL)
    ),
    CONSTRAINT ledger_verifications_faults CHECK ((state = 'faults') = (faults <> '[]'))
);
-- What the service would start twice, PostgreSQL refuses.
CREATE UNIQUE INDEX ledger_verifications_open_key ON ledger_verifications ((true))
    WHERE state IN ('waiting', 'running');
