-- The rules of 0041, checked on the postings that are there: while others read and write them.
ALTER TABLE postings VALIDATE CONSTRAINT postings_place_known;
ALTER TABLE postings VALIDATE CONSTRAINT postings_against_known;
