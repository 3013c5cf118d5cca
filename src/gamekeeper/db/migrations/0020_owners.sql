-- Webhooks and game servers belong to the key that made them.

-- The owner is written as actions write their actor: `key:` and the key's id. Null: made
-- before there were owners. Only who may manage others' webhooks sees such a one, and it goes
-- on being sent to; such a server belongs to the next key that registers under its name.
ALTER TABLE webhooks ADD COLUMN owner text;
ALTER TABLE servers ADD COLUMN owner text;

-- An owner is looked up whenever something is sent. Not unique: where keys are spread over
-- machines, only what has the hash in it can be.
CREATE INDEX api_keys_actor_idx ON api_keys (('key:' || id::text));
