-- concurrently
-- Search in chat by any part of a word, from two characters on and in any script.
--
-- A part of a word is the beginning of one of its ends: "mbl" begins "mbler", an end of
-- "gambler". So the index has all ends of all words, and a search is a search by prefix. Trigrams
-- need three letters of ASCII in a row, and merge the long lists of frequent ones to find a rare
-- word.
--
-- Words are separated by ASCII characters other than letters and digits, whatever the locale of
-- the database. An end is stored up to 12 characters: a line without spaces, as in Chinese,
-- would be stored 500 times over. The line itself is compared afterwards.
CREATE OR REPLACE FUNCTION word_ends(line text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
    SELECT coalesce(array_to_tsvector(array_agg(substr(word, place, 12))), '')
      FROM regexp_split_to_table(lower(line), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+')
           AS word,
           generate_series(1, length(word) - 1) AS place
$$;

-- What all lines that contain a text have in their word_ends: the last word begins one of them,
-- and the words before, which end in the text, are one of them. NULL if all words are too short.
-- The beginning of a word is costly to look up if it is short: all words that begin so are merged.
-- So a short one is left out if there are other words.
CREATE OR REPLACE FUNCTION word_ends_query(part text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
    SELECT coalesce(string_agg(lexeme, ' & ') FILTER (WHERE NOT is_last OR length(word) > 3),
                    string_agg(lexeme, ' & '))::tsquery
      FROM (SELECT word, is_last,
                   quote_literal(left(word, 12)) || CASE WHEN is_last THEN ':*' ELSE '' END AS lexeme
              FROM (SELECT word, place = max(place) OVER () AS is_last
                      FROM regexp_split_to_table(
                               lower(part),
                               '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+')
                           WITH ORDINALITY AS split (word, place)) AS words
             WHERE length(word) > 1) AS lexemes
$$;

-- Without fastupdate: every search would read the list of entries that wait to be sorted in.
DROP INDEX CONCURRENTLY IF EXISTS chat_messages_words_idx;
CREATE INDEX CONCURRENTLY chat_messages_words_idx
    ON chat_messages USING gin (word_ends(message)) WITH (fastupdate = off);

-- No released version reads it.
DROP INDEX CONCURRENTLY IF EXISTS chat_messages_trigram_idx;
