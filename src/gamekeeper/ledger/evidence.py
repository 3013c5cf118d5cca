"""
Digests of chat lines that are the evidence of a sanction, and the invariant about them.

Each line has the SHA-256 of its salt and its content; the action that imposed the sanction has
the SHA-256 of all of them in order. So the hash chain proves the lines, and one that is emptied by
an erasure leaves the proof of the others intact.
"""

from typing import LiteralString

# A JSON array, so that no two lines have the same text; the salt makes it impossible to guess.
LINE_DIGEST: LiteralString = """
    sha256(salt || convert_to(jsonb_build_array(
        message_id, (extract(epoch FROM said_at) * 1000000)::bigint, server_id, player_id, user_id,
        player_name, channel, message, target_id, target_name)::text, 'UTF8'))
"""

EVIDENCE: LiteralString = f"""
    WITH frozen AS (
        SELECT sanction_id, count(*) AS lines,
               encode(sha256(string_agg(digest, ''::bytea ORDER BY position)), 'hex') AS digest,
               count(*) FILTER (WHERE salt IS NOT NULL AND digest <> {LINE_DIGEST}) AS changed
          FROM sanction_excerpts
         GROUP BY sanction_id
    ), imposed AS (
        SELECT id, user_id, (after->>'sanction_id')::uuid AS sanction_id,
               (after->'excerpt'->>'lines')::bigint AS lines,
               after->'excerpt'->>'sha256' AS digest
          FROM actions
         WHERE kind = 'sanctions.impose' AND after ? 'excerpt'
    )
    SELECT 'evidence' AS law, user_id,
           CASE WHEN imposed.id IS NULL
                THEN format('no action imposed the sanction %s with this evidence', sanction_id)
                ELSE format('the evidence of the sanction %s is not as action %s left it',
                            sanction_id, imposed.id)
           END AS message
      FROM frozen FULL JOIN imposed USING (sanction_id)
     WHERE frozen.lines IS DISTINCT FROM imposed.lines
           OR frozen.digest IS DISTINCT FROM imposed.digest OR frozen.changed > 0
     ORDER BY sanction_id
"""
