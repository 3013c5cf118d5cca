-- Invitations of staff: a role for whoever opens the link first, as a new or an existing account.
-- The code of the link is an HMAC of the id (users/staff/invitations.py), and is stored nowhere.

CREATE TABLE staff_invitations (
    id               uuid PRIMARY KEY,
    role             text COLLATE "C" NOT NULL,
    email            text,                       -- where the link was mailed to, if it was
    created_by       text NOT NULL,
    created_by_name  text NOT NULL,
    created_by_user  uuid,                       -- NULL: the command line
    created_at       timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz NOT NULL,
    accepted_at      timestamptz,
    accepted_by      uuid,
    revoked_at       timestamptz,
    CONSTRAINT staff_invitations_role_fkey FOREIGN KEY (role) REFERENCES roles ON DELETE CASCADE,
    -- However it was made: a link that lies about for longer is a role in a chat.
    CONSTRAINT staff_invitations_short CHECK (expires_at <= created_at + interval '14 days'),
    CONSTRAINT staff_invitations_ended_once CHECK (accepted_at IS NULL OR revoked_at IS NULL),
    CONSTRAINT staff_invitations_accepted CHECK ((accepted_at IS NULL) = (accepted_by IS NULL))
);
CREATE INDEX staff_invitations_expiry_idx ON staff_invitations (expires_at);
CREATE INDEX staff_invitations_role_idx ON staff_invitations (role);
CREATE INDEX staff_invitations_accepted_idx ON staff_invitations (accepted_by);
CREATE INDEX staff_invitations_inviter_idx ON staff_invitations (created_by_user);
