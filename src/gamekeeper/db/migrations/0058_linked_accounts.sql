-- Linked accounts: the devices and addresses that accounts were used from, and bans of these.

-- `device` is the first half of a keyed hash (HMAC) of what the game client sent, which is not
-- stored. `days` has the days (UTC) on which it was seen: days that two accounts have in common
-- are an intersection, and days in a row take the room of one.
CREATE TABLE user_devices (
    user_id    uuid NOT NULL,
    device     uuid NOT NULL,
    first_seen timestamptz NOT NULL,
    last_seen  timestamptz NOT NULL,
    days       datemultirange NOT NULL,
    CONSTRAINT user_devices_pkey PRIMARY KEY (user_id, device),
    CONSTRAINT user_devices_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);
-- Other accounts on the same device, the latest first.
CREATE INDEX user_devices_device_idx ON user_devices (device, last_seen, user_id);
-- Retention.
CREATE INDEX user_devices_seen_idx ON user_devices (last_seen);

-- IPv6 by the /64, as in the login throttle: one home has many addresses.
CREATE TABLE user_addresses (
    user_id    uuid NOT NULL,
    address    inet NOT NULL,
    first_seen timestamptz NOT NULL,
    last_seen  timestamptz NOT NULL,
    days       datemultirange NOT NULL,
    CONSTRAINT user_addresses_pkey PRIMARY KEY (user_id, address),
    CONSTRAINT user_addresses_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX user_addresses_address_idx ON user_addresses (address, last_seen, user_id);
CREATE INDEX user_addresses_seen_idx ON user_addresses (last_seen);

-- Where a sign-in came from, so that a ban also stops the tokens and sessions it began.
ALTER TABLE token_families ADD COLUMN device uuid, ADD COLUMN address inet;
ALTER TABLE browser_sessions ADD COLUMN device uuid, ADD COLUMN source inet;

-- Bans of a device or of an address range. Each ends: an address has another owner some day.
CREATE TABLE access_bans (
    id              uuid NOT NULL,
    code            text COLLATE "C" NOT NULL,
    device          uuid,
    network         cidr,
    ends_at         timestamptz NOT NULL,
    reason          text NOT NULL,              -- for staff
    message         text NOT NULL DEFAULT '',   -- for the player
    imposed_at      timestamptz NOT NULL DEFAULT now(),
    imposed_by      text NOT NULL,
    imposed_by_name text NOT NULL,
    lifted_at       timestamptz,
    lifted_by       text,
    lifted_by_name  text,
    lift_reason     text,
    CONSTRAINT access_bans_pkey PRIMARY KEY (id),
    CONSTRAINT access_bans_code_key UNIQUE (code),
    CONSTRAINT access_bans_one_target CHECK (num_nonnulls(device, network) = 1),
    CONSTRAINT access_bans_range_size
        CHECK (masklen(network) >= CASE family(network) WHEN 4 THEN 16 ELSE 32 END),
    CONSTRAINT access_bans_code_form CHECK (code ~ '^[0-9A-Z]{4}-[0-9A-Z]{4}$'),
    CONSTRAINT access_bans_ends_later CHECK (ends_at >= imposed_at AND ends_at < 'infinity'),
    CONSTRAINT access_bans_reason_length CHECK (char_length(reason) <= 2000),
    CONSTRAINT access_bans_message_length CHECK (char_length(message) <= 2000),
    CONSTRAINT access_bans_lift_reason_length CHECK (char_length(lift_reason) <= 2000),
    CONSTRAINT access_bans_lifted_by_somebody CHECK ((lifted_at IS NULL) = (lifted_by IS NULL))
);
-- Looked at by every sign-in, and by every lookup of a token or session.
CREATE INDEX access_bans_device_idx ON access_bans (device)
    WHERE lifted_at IS NULL AND device IS NOT NULL;
CREATE INDEX access_bans_network_idx ON access_bans USING gist (network inet_ops)
    WHERE lifted_at IS NULL AND network IS NOT NULL;
-- The list, newest first, and retention.
CREATE INDEX access_bans_imposed_idx ON access_bans (imposed_at, id);
CREATE INDEX access_bans_ends_idx ON access_bans (ends_at);
