-- What the names of accounts look like, so that nobody registers one that looks like
-- another's: lookup.look, which follows UTS 39.
--
-- Apart from user_names: its rows need not be changed, no index is built on a large table,
-- and the version before this one goes on without knowing of it. Names from before, and
-- those that it registers, are entered later (users/skeletons.py). Of names that looked
-- alike before there was this rule only one stands here, and all remain.
CREATE TABLE user_skeletons (
    skeleton    text COLLATE "C" PRIMARY KEY,
    user_id     uuid NOT NULL,
    CONSTRAINT user_skeletons_user_fkey FOREIGN KEY (user_id)
        REFERENCES users ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
-- Who is not entered yet.
CREATE INDEX user_skeletons_user_idx ON user_skeletons (user_id);
