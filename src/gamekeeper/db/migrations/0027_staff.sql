-- Staff: accounts that hold roles. The scopes of a built-in role are in the code
-- (auth/roles.py), so that an upgrade can extend them; its limits are here, for an owner
-- to change.

CREATE TABLE roles (
    name        text COLLATE "C" PRIMARY KEY,
    description text NOT NULL DEFAULT '',
    scopes      text[],                         -- NULL: built in
    limits      jsonb NOT NULL DEFAULT '{}',    -- auth/limits.py
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT roles_name_form CHECK (name ~ '^[a-z][a-z0-9-]{0,31}$'),
    CONSTRAINT roles_description_length CHECK (char_length(description) <= 200),
    CONSTRAINT roles_limits_object CHECK (jsonb_typeof(limits) = 'object')
);
INSERT INTO roles (name)
VALUES ('owner'), ('administrator'), ('support'), ('moderator'), ('live-operations'), ('analyst');

CREATE TABLE staff_roles (
    user_id     uuid NOT NULL,
    role        text COLLATE "C" NOT NULL,
    granted_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT staff_roles_pkey PRIMARY KEY (user_id, role),
    CONSTRAINT staff_roles_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT staff_roles_role_fkey FOREIGN KEY (role) REFERENCES roles
);
CREATE INDEX staff_roles_role_idx ON staff_roles (role);

-- Keys have limits too. Nothing is rewritten, and the version before goes on.
ALTER TABLE api_keys ADD COLUMN limits jsonb NOT NULL DEFAULT '{}';
