"""The rows that an erasure deletes or empties, table by table."""

from typing import LiteralString

NAMES: LiteralString = "DELETE FROM user_names WHERE user_id = ANY($1) AND name_key = ANY($2)"
EMAILS: LiteralString = "DELETE FROM user_emails WHERE user_id = ANY($1) AND email_key = ANY($2)"

# Each table by a statement, also where a foreign key cascades: an erasure must not depend on which
# tables have one, and the list shows what is deleted.
OWNED: tuple[LiteralString, ...] = (
    "DELETE FROM user_skeletons WHERE user_id = ANY($1)",
    "DELETE FROM access_tokens WHERE user_id = ANY($1)",
    "DELETE FROM refresh_tokens WHERE user_id = ANY($1)",
    "DELETE FROM token_families WHERE user_id = ANY($1)",
    "DELETE FROM passwords WHERE user_id = ANY($1)",
    "DELETE FROM password_resets WHERE user_id = ANY($1)",
    "DELETE FROM identities WHERE user_id = ANY($1)",
    "DELETE FROM former_identities WHERE user_id = ANY($1)",
    "DELETE FROM identity_flows WHERE user_id = ANY($1)",
    "DELETE FROM link_codes WHERE user_id = ANY($1)",
    "DELETE FROM email_verifications WHERE user_id = ANY($1)",
    "DELETE FROM verified_emails WHERE user_id = ANY($1)",
    "DELETE FROM known_sources WHERE user_id = ANY($1)",
    "DELETE FROM user_devices WHERE user_id = ANY($1)",
    "DELETE FROM user_addresses WHERE user_id = ANY($1)",
    "DELETE FROM browser_sessions WHERE user_id = ANY($1)",
    "DELETE FROM sign_in_links WHERE user_id = ANY($1)",
    """
    DELETE FROM openid_tokens
     WHERE sign_in_id IN (SELECT id FROM openid_sign_ins WHERE user_id = ANY($1))
    """,
    "DELETE FROM openid_sign_ins WHERE user_id = ANY($1)",
    "DELETE FROM openid_sessions WHERE user_id = ANY($1)",
    "DELETE FROM openid_consents WHERE user_id = ANY($1)",
    # Those it made are void without it, and those it accepted have its address.
    "DELETE FROM staff_invitations WHERE accepted_by = ANY($1) OR created_by_user = ANY($1)",
    "DELETE FROM saved_filters WHERE user_id = ANY($1)",
    "DELETE FROM second_factors WHERE user_id = ANY($1)",
    "DELETE FROM recovery_codes WHERE user_id = ANY($1)",
    "DELETE FROM user_variables WHERE user_id = ANY($1)",
    "DELETE FROM chat_messages WHERE user_id = ANY($1)",
    # Evidence stays as a digest, without the salt that would let somebody guess the text.
    """
    UPDATE sanction_excerpts
       SET salt = NULL, message = NULL, player_name = NULL, target_name = NULL
     WHERE user_id = ANY($1)
    """,
    """
    UPDATE report_excerpts
       SET salt = NULL, message = NULL, player_name = NULL, target_name = NULL
     WHERE user_id = ANY($1)
    """,
    """
    UPDATE case_excerpts
       SET salt = NULL, message = NULL, player_name = NULL, target_name = NULL
     WHERE user_id = ANY($1)
    """,
    # Orders keep ids and amounts; the names that a shop sent go.
    """
    UPDATE orders SET account_ref = NULL, character_ref = NULL, buyer_ref = NULL
     WHERE user_id = ANY($1) OR buyer_id = ANY($1)
    """,
    # The redemption stays, for the counts of its batch and code.
    "UPDATE code_redemptions SET user_id = NULL, player_id = NULL WHERE user_id = ANY($1)",
    # What it wrote about others, and what others and staff wrote about it.
    "UPDATE reports SET text = NULL WHERE reporter_id = ANY($1) OR user_id = ANY($1)",
    """
    UPDATE case_notes SET text = NULL
      FROM cases WHERE cases.id = case_id AND cases.user_id = ANY($1)
    """,
    "UPDATE cases SET closing_note = NULL WHERE user_id = ANY($1)",
    """
    UPDATE cases
       SET closed_at = now(), closed_by = 'system', closed_by_name = 'erasure', outcome = 'none'
     WHERE user_id = ANY($1) AND closed_at IS NULL
    """,
    # From here on the words of others in these reports and cases expire.
    """
    UPDATE report_excerpts SET closed_at = now()
      FROM reports
     WHERE reports.id = report_id AND reports.user_id = ANY($1) AND reports.closed_at IS NULL
    """,
    "UPDATE reports SET closed_at = now() WHERE user_id = ANY($1) AND closed_at IS NULL",
    """
    UPDATE case_excerpts SET closed_at = now()
      FROM cases
     WHERE cases.id = case_id AND cases.user_id = ANY($1) AND case_excerpts.closed_at IS NULL
    """,
    # Letters that its characters, which are all deleted by now, sent to others.
    """
    UPDATE letters SET sender_name = NULL, subject = '', text = ''
     WHERE sender_id IN (SELECT player_id FROM deleted_players WHERE user_id = ANY($1))
    """,
    # By now its characters are deleted, too.
    """
    DELETE FROM segment_list_players USING deleted_players
     WHERE deleted_players.player_id = segment_list_players.player_id
       AND deleted_players.user_id = ANY($1)
    """,
    """
    DELETE FROM campaign_recipients USING deleted_players
     WHERE deleted_players.player_id = campaign_recipients.player_id
       AND deleted_players.user_id = ANY($1)
    """,
    # Those that were deleted before, too: none of them can have an owner again.
    "DELETE FROM deleted_players WHERE user_id = ANY($1)",
)
