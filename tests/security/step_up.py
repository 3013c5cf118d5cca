"""
Which changes ask a browser session for its second factor again: a decision for every one.

By hand, beside `cookie_rights.STEP_UP`, which lists the routes that always ask. Keys and tokens
are never asked: a program has no second factor.

A route asks if it hands out power (roles, keys, secrets, second factors, access to an account or
to what events and game servers are sent), decides on what exceeds somebody's limits or what has to
be approved, undoes much at once, or destroys what cannot be restored by anybody.
"""

SOMETIMES = {
    "PATCH /api/v1/webhooks/{id}": "with a URL, and to switch it on; not to switch it off",
    "POST /api/v1/actions/{id}/undo": "of a change of an email or of powers",
}
"""Routes of which some calls ask, and which ones."""

_NEVER = {
    "reads, by a body that existing clients send": """
        POST /api/v1/players
        POST /api/v1/players/online
        POST /api/v1/gameobjects/{object_type}
        POST /api/v1/gameobjects/{object_type}/names
        POST /api/v1/variables/global
        POST /api/v1/users
        POST /api/v1/guilds
    """,
    "is everyday work on characters and guilds: in the log, and within limits or worth little": """
        POST /api/v1/players/{key}/variables/{variable_id}
        POST /api/v1/players/{key}/items/give
        POST /api/v1/players/{key}/items/take
        POST /api/v1/players/{key}/items/restore
        POST /api/v1/players/{key}/mailbox
        POST /api/v1/players/{key}/mailbox/{letter_id}/claim
        POST /api/v1/players/{key}/mailbox/{letter_id}/read
        POST /api/v1/players/{key}/mailbox/{letter_id}/withdraw
        DELETE /api/v1/players/{key}/mailbox/{letter_id}
        POST /api/v1/players/{key}/spells/teach
        POST /api/v1/players/{key}/spells/forget
        POST /api/v1/players/{key}/name
        POST /api/v1/players/{key}/class
        POST /api/v1/players/{key}/level
        POST /api/v1/players/{key}/sheet
        POST /api/v1/users/{key}/players
        DELETE /api/v1/players/{key}
        POST /api/v1/users/{key}/variables/{variable_id}
        POST /api/v1/variables/{variable_id}
        POST /api/v1/variables/global/{variable_id}
        POST /api/v1/guilds/create
        POST /api/v1/guilds/{guild_id}/name
        POST /api/v1/guilds/{guild_id}/variables/{variable_id}
        POST /api/v1/guilds/{guild_id}/kick/{key}
        POST /api/v1/guilds/{guild_id}/rank/{key}
        POST /api/v1/guilds/{guild_id}/transfer/{key}
        POST /api/v1/guilds/{guild_id}/members/{key}
        DELETE /api/v1/guilds/{guild_id}/members/{key}
        POST /api/v1/guilds/{guild_id}/bank/deposit
        POST /api/v1/guilds/{guild_id}/bank/withdraw
        DELETE /api/v1/guilds
        DELETE /api/v1/guilds/{guild_id}
        POST /api/v1/transactions
        POST /api/v1/transactions/{id}/undo
    """,
    "makes an account without any power, or a new name or language for one": """
        POST /api/v1/users/register
        POST /api/v1/users/{key}/name
        POST /api/v1/users/{key}/language
    """,
    "needs the password of the account, or mails its owner": """
        POST /api/v1/users/{key}/password/validate
        POST /api/v1/users/{key}/password/change
        POST /api/v1/users/{key}/email/change
        GET /api/v1/users/{key}/password/reset
        POST /api/v1/users/{key}/email/verification
        POST /api/v1/me/email/verification
    """,
    "is for anybody, with a secret of its own": """
        POST /api/v1/users/password/reset/complete
        POST /api/v1/users/email/verification/complete
        POST /api/v1/appeals
        POST /api/v1/appeals/status
        POST /api/v1/session
        POST /api/v1/session/link
        POST /api/v1/session/invitation
        POST /api/v1/shops/{shop}/events
    """,
    "takes access away only, which must be possible at once": """
        DELETE /api/v1/session
        DELETE /api/v1/staff/{user}/sessions
        DELETE /api/v1/staff/{user}/sessions/{session_id}
        DELETE /api/v1/webhooks/{id}
        POST /api/v1/openid-clients/{client_id}/sign-out
    """,
    "is the verification of the second factor": """
        POST /api/v1/session/totp
        POST /api/v1/session/recovery
        POST /api/v1/session/passkey/options
        POST /api/v1/session/passkey
    """,
    "is everyday moderation: in the log, by rank, and can be lifted": """
        POST /api/v1/sanctions
        POST /api/v1/sanctions/{key}/lift
        POST /api/v1/access-bans
        POST /api/v1/access-bans/{key}/lift
        POST /api/v1/users/{key}/linked/ban
        POST /api/v1/economy/findings/{id}/acknowledge
        PUT /api/v1/sanctions/templates/{name}
        DELETE /api/v1/sanctions/templates/{name}
        POST /api/v1/appeals/{id}/decide
        POST /api/v1/cases/{id}/view
        POST /api/v1/cases/{id}/claim
        POST /api/v1/cases/{id}/release
        POST /api/v1/cases/{id}/notes
        POST /api/v1/cases/{id}/evidence
        POST /api/v1/cases/{id}/close
        POST /api/v1/cases/{id}/reopen
        POST /api/v1/users/{key}/admin/{action}
        POST /api/v1/players/{key}/admin/{action}
        POST /api/v1/players/{key}/commands
        POST /api/v1/servers/{server_id}/commands
        POST /api/v1/chat
        POST /api/v1/chat/global
        POST /api/v1/chat/direct/{key}
        POST /api/v1/chat/proximity/{map_id}
    """,
    "is limited, approved beyond the limits, and reversible as a whole": """
        POST /api/v1/campaigns
        POST /api/v1/campaigns/{campaign_id}/dry-run
        POST /api/v1/campaigns/{campaign_id}/start
        POST /api/v1/campaigns/{campaign_id}/pause
        POST /api/v1/campaigns/{campaign_id}/resume
        POST /api/v1/campaigns/{campaign_id}/stop
        POST /api/v1/campaigns/{campaign_id}/reverse
        POST /api/v1/schedules
        POST /api/v1/schedules/{schedule_id}/pause
        POST /api/v1/schedules/{schedule_id}/resume
        POST /api/v1/schedules/{schedule_id}/skip
        DELETE /api/v1/schedules/{schedule_id}
    """,
    "saves a question about characters, which changes none of them": """
        PUT /api/v1/segments/{name}
        DELETE /api/v1/segments/{name}
        POST /api/v1/segments/preview
        POST /api/v1/segment-lists/{name}/names
        DELETE /api/v1/segment-lists/{name}
    """,
    "reads the ledger, and changes nothing": """
        POST /api/v1/ledger/verification
    """,
    "is about the menus of the caller, and nothing else": """
        POST /api/v1/me/filters
        DELETE /api/v1/me/filters/{id}
    """,
    "is what any player may do, a few times an hour": """
        POST /api/v1/reports
        POST /api/v1/me/reports
        POST /api/v1/me/orders/claim
        POST /api/v1/me/codes
    """,
    "gives what a batch of codes already decided, or stops it": """
        POST /api/v1/codes/redeem
        POST /api/v1/codes/revoke
        POST /api/v1/codes/look-up
        POST /api/v1/codes/batches/{batch_id}/activate
        POST /api/v1/codes/batches/{batch_id}/revoke
    """,
    "takes a way to sign in from a player, who can link it again": """
        DELETE /api/v1/users/{key}/identities/{identity_id}
    """,
    "needs a code that the player got for this account, or makes one that the player must use": """
        POST /api/v1/identities/codes
        POST /api/v1/identities/link
    """,
    "is about the letters of the caller's own characters": """
        POST /api/v1/me/mailbox/{letter_id}/claim
        POST /api/v1/me/mailbox/{letter_id}/read
        DELETE /api/v1/me/mailbox/{letter_id}
    """,
    "reports what a shop and its payment company decided, within what was paid": """
        POST /api/v1/orders/{shop}/{order_id}/refund
        POST /api/v1/orders/{shop}/{order_id}/dispute
        POST /api/v1/orders/{shop}/{order_id}/assign
        POST /api/v1/shops/{shop}/reconcile
    """,
    "is a read, which is in the log with its reason": """
        POST /api/v1/chat/messages/private
    """,
    "needs the fencing number, which only the answer to a registration has": """
        POST /api/v1/servers/{server_id}/heartbeat
        POST /api/v1/servers/{server_id}/join
        POST /api/v1/servers/{server_id}/leave
        POST /api/v1/servers/{server_id}/bank
        POST /api/v1/servers/{server_id}/stop
        POST /api/v1/servers/{server_id}/commands/fetch
        POST /api/v1/servers/{server_id}/commands/answers
        POST /api/v1/servers/{server_id}/commands/{command_id}/answer
        POST /api/v1/servers/{server_id}/chat
    """,
    "sends to a URL that was set with step-up": """
        POST /api/v1/webhooks/{id}/test
        POST /api/v1/webhooks/{id}/replay
    """,
    "is nothing that a cookie may call": """
        POST /api/oauth/token
        POST /api/v1/sign-in/start
        POST /api/v1/sign-in/finish
        POST /api/v1/sign-in/account
        POST /api/v1/sign-in/steam-ticket
        GET /sign-in/{source}
        GET /sign-in/{source}/callback
        POST /sign-in/{source}/callback
        POST /api/oauth/revoke
        DELETE /api/oauth/tokens/{username}
        DELETE /api/oauth/tokens/{username}/{token_id}
        DELETE /api/oauth/token/{username}
        DELETE /api/oauth/token/{username}/{sign_in}
    """,
}

NEVER = {
    line.strip(): reason for reason, lines in _NEVER.items() for line in lines.strip().splitlines()
}
"""Routes that never ask, and why not."""
