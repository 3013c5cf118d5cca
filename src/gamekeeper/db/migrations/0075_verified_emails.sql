-- The email address that an account has proven to receive mail at. An address counts as verified
-- only while it is that of the account, so a version before this one, which changes an address and
-- knows nothing of this table, leaves an account whose address is not verified.

CREATE TABLE verified_emails (
    user_id      uuid NOT NULL,
    email        text NOT NULL,
    verified_at  timestamptz NOT NULL DEFAULT now(),
    method       text NOT NULL,
    CONSTRAINT verified_emails_pkey PRIMARY KEY (user_id),
    CONSTRAINT verified_emails_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT verified_emails_method_known CHECK (method IN ('mail', 'reset', 'staff', 'import'))
);
