-- Mails with a link and a code that verify an email address. Both are computed from the id with a
-- key that is not in the database. One belongs to an account and an address, and is void as soon as
-- the account has another: the version before this one changes addresses and knows nothing of this
-- table, so the address is compared when the link or the code is used.

CREATE TABLE email_verifications (
    user_id       uuid NOT NULL,
    id            uuid NOT NULL,
    email         text NOT NULL,
    -- The address that a change replaced, which gets a mail about it; NULL: there was no change.
    former_email  text,
    code_tries    int NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz,
    CONSTRAINT email_verifications_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT email_verifications_user_fkey
        FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);

CREATE INDEX email_verifications_expiry_idx ON email_verifications (expires_at);
