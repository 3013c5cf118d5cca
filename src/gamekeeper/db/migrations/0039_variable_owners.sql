-- Whose values a variable has: those of characters, of accounts, of guilds, or one for the game.
ALTER TABLE variables ADD COLUMN owner text NOT NULL DEFAULT 'player';
ALTER TABLE variables ADD CONSTRAINT variables_owner_known
    CHECK (owner IN ('player', 'user', 'guild', 'game')) NOT VALID;
