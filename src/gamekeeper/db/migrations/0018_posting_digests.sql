-- The chain covers postings: a link holds the digest of its action's postings, and its hash
-- covers that digest. Postings that were dropped leave it behind, so the link stays provable.

-- How the hash of the link was made (ledger/links.py). A version that does not know of this
-- column makes links of the first form.
ALTER TABLE chain ADD COLUMN form smallint NOT NULL DEFAULT 1;
-- Null: the action has no postings, or the link is of the first form.
ALTER TABLE chain ADD COLUMN postings bytea;
-- Not for the links that are there: none has a digest, and reading them all takes long.
ALTER TABLE chain ADD CONSTRAINT chain_postings_length CHECK (length(postings) = 32) NOT VALID;
