-- Requests for a new password. The link and the code in the mail are computed from
-- the request's id with a key that is not in the database, so nothing here opens
-- anything. A request is used once, by either; then all open ones of the user end.

CREATE TABLE password_resets (
    user_id     uuid NOT NULL,
    id          uuid NOT NULL DEFAULT gen_random_uuid(),
    code_tries  int NOT NULL DEFAULT 0,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz,
    CONSTRAINT password_resets_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT password_resets_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);
