-- The position of a character or a guild in exports is the number of its last posting plus this
-- shift. An import opens a ledger that begins at 1, but keeps the position of the file: so an
-- export of a copy is equal to the export it was made from, and an import can tell whether items
-- moved since (docs/decisions/0055-exports-have-positions.md). Without a row the shift is 0.
CREATE TABLE import_positions (
    id          uuid PRIMARY KEY,
    shift       bigint NOT NULL
);
