-- What an undo or a restore gives back comes out of a loss: the posting names the action
-- that took it. An undo that takes such items again puts them back into the same loss. So
-- nothing comes back twice, by whatever way it came back before.
ALTER TABLE postings
    ADD COLUMN loss_id uuid,
    ADD CONSTRAINT postings_loss_of_returns_only CHECK (
        loss_id IS NULL OR against IN ('undo', 'restore')
    );

-- Undos and restores are few among a character's postings, and every undo asks for them.
CREATE INDEX postings_returns_idx ON postings (player_id, item_id)
    WHERE against IN ('undo', 'restore');
