-- Mailboxes: letters to characters, which can hold items. A mailbox is a place of its character in
-- the ledger, like its inventory and its bank: docs/decisions/0069-mailboxes.md.

-- A letter is never deleted by a change, only by retention: an undo of a claim puts the items back
-- into it. The ids are in the order of time.
CREATE TABLE letters (
    player_id   uuid NOT NULL,
    id          uuid NOT NULL,
    state       text NOT NULL,
    sender_kind text NOT NULL,
    sender_id   uuid,                           -- the character, if a player sent it
    sender_name text,                           -- NULL after the erasure of the sender
    subject     text NOT NULL,
    text        text NOT NULL,
    -- The items as they were sent, by slot: those that are still there are in letter_slots.
    attached    jsonb NOT NULL,
    sent_at     timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    on_expiry   text NOT NULL,
    read_at     timestamptz,
    ended_at    timestamptz,                    -- since when it is no longer open
    CONSTRAINT letters_pkey PRIMARY KEY (player_id, id),
    -- Without a cascade: a character whose mailbox is not archived cannot be deleted.
    CONSTRAINT letters_player_fkey FOREIGN KEY (player_id) REFERENCES players,
    CONSTRAINT letters_state_known CHECK (
        state IN ('open', 'claimed', 'expired', 'withdrawn', 'deleted')
    ),
    CONSTRAINT letters_sender_known CHECK (
        sender_kind IN ('player', 'staff', 'key', 'shop', 'system')
    ),
    CONSTRAINT letters_on_expiry_known CHECK (on_expiry IN ('return', 'destroy')),
    CONSTRAINT letters_subject_length CHECK (char_length(subject) <= 100),
    CONSTRAINT letters_text_length CHECK (char_length(text) <= 2000),
    CONSTRAINT letters_attached_list CHECK (jsonb_typeof(attached) = 'array'),
    CONSTRAINT letters_ended_unless_open CHECK ((state = 'open') = (ended_at IS NULL))
);
-- The worker finds letters that have expired; retention those that ended, oldest first.
CREATE INDEX letters_expires_idx ON letters (expires_at) WHERE state = 'open';
CREATE INDEX letters_ended_idx ON letters (ended_at) WHERE ended_at IS NOT NULL;
-- An erasure empties the texts that a character wrote to others.
CREATE INDEX letters_sender_idx ON letters (sender_id) WHERE sender_id IS NOT NULL;

-- Only slots that hold something have a row.
CREATE TABLE letter_slots (
    player_id   uuid NOT NULL,
    letter_id   uuid NOT NULL,
    slot        int NOT NULL,
    item_id     uuid NOT NULL,
    quantity    int NOT NULL,
    stat_buffs  int[] NOT NULL DEFAULT '{0,0,0,0,0}',
    bag_id      uuid,
    CONSTRAINT letter_slots_pkey PRIMARY KEY (player_id, letter_id, slot),
    CONSTRAINT letter_slots_letter_fkey FOREIGN KEY (player_id, letter_id) REFERENCES letters,
    CONSTRAINT letter_slots_item_fkey FOREIGN KEY (item_id) REFERENCES items,
    CONSTRAINT letter_slots_bag_fkey FOREIGN KEY (player_id, bag_id) REFERENCES bags,
    CONSTRAINT letter_slots_slot_not_negative CHECK (slot >= 0),
    CONSTRAINT letter_slots_quantity_positive CHECK (quantity > 0),
    CONSTRAINT letter_slots_stat_buffs_five CHECK (cardinality(stat_buffs) = 5),
    CONSTRAINT letter_slots_bag_single CHECK (bag_id IS NULL OR quantity = 1)
);
-- A bag lies in one slot at most.
CREATE UNIQUE INDEX letter_slots_bag_key ON letter_slots (player_id, bag_id)
    WHERE bag_id IS NOT NULL;

-- NOT VALID, and not validated later: the rules until now allowed less, and reading all postings
-- may take minutes.
ALTER TABLE postings
    DROP CONSTRAINT postings_place_known,
    DROP CONSTRAINT postings_inside_bags_only,
    ADD CONSTRAINT postings_place_known CHECK (
        place IN ('inventory', 'bank', 'bag', 'guild', 'mail')
    ) NOT VALID,
    ADD CONSTRAINT postings_inside_bags_and_letters_only CHECK (
        (place IN ('bag', 'mail')) = (inside IS NOT NULL)
    ) NOT VALID;
