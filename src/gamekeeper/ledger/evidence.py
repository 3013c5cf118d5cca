"""
Digests of chat lines that are the evidence of a sanction, report or case, with their invariants.

Each line has the SHA-256 of its salt and its content; the action that imposed the sanction, or
filed the report, has the SHA-256 of all of them in order. So the hash chain proves the lines, and
one that is emptied by an erasure leaves the proof of the others intact. A report that is repeated
may get more lines, and staff may add lines to a case: the last action has the hash of all.
"""

from typing import LiteralString

# A JSON array, so that no two lines have the same text; the salt makes it impossible to guess.
LINE_DIGEST: LiteralString = """
    sha256(salt || convert_to(jsonb_build_array(
        message_id, (extract(epoch FROM said_at) * 1000000)::bigint, server_id, player_id, user_id,
        player_name, channel, message, target_id, target_name)::text, 'UTF8'))
"""


def _evidence(
    table: LiteralString, owner: LiteralString, kind: LiteralString, what: LiteralString
) -> LiteralString:
    """The invariant about the lines of one table, whose actions are of this kind."""
    return f"""
        WITH frozen AS (
            SELECT {owner} AS owner, count(*) AS lines,
                   encode(sha256(string_agg(digest, ''::bytea ORDER BY position)), 'hex') AS digest,
                   count(*) FILTER (WHERE salt IS NOT NULL AND digest <> {LINE_DIGEST}) AS changed
              FROM {table}
             GROUP BY {owner}
        ), recorded AS (
            SELECT DISTINCT ON (owner) *
              FROM (SELECT id, user_id, (after->>'{owner}')::uuid AS owner,
                           (after->'excerpt'->>'lines')::bigint AS lines,
                           after->'excerpt'->>'sha256' AS digest
                      FROM actions
                     WHERE kind = '{kind}' AND after ? 'excerpt') AS every
             ORDER BY owner, lines DESC
        )
        SELECT 'evidence' AS law, user_id,
               CASE WHEN recorded.id IS NULL
                    THEN format('no action made the {what} %s with this evidence', owner)
                    ELSE format('the evidence of the {what} %s is not as action %s left it',
                                owner, recorded.id)
               END AS message
          FROM frozen FULL JOIN recorded USING (owner)
         WHERE frozen.lines IS DISTINCT FROM recorded.lines
               OR frozen.digest IS DISTINCT FROM recorded.digest OR frozen.changed > 0
         ORDER BY owner
    """


EVIDENCE = _evidence("sanction_excerpts", "sanction_id", "sanctions.impose", "sanction")
REPORT_EVIDENCE = _evidence("report_excerpts", "report_id", "reports.file", "report")
CASE_EVIDENCE = _evidence("case_excerpts", "case_id", "cases.evidence", "case")
