"""
What a browser session may call, beside `rights.py`: by hand, and not derived from the routes.

A session has the scopes of its roles. Changes ask for more: the headers of our own pages, a
recent second factor for what matters most, and a finished sign-in for everything but a few.
"""

UNSAFE_GETS = {
    "GET /api/v1/users/{key}/password/reset",
    "GET /sign-in/{source}",
    "GET /sign-in/{source}/callback",
}
"""
They change something: as the contract has it, so they need what a change needs, or as a browser is
sent on by another service, with a cookie of that sign-in.
"""

STEP_UP = {
    # Roles, keys, secrets
    "POST /api/v1/roles",
    "PATCH /api/v1/roles/{role}",
    "DELETE /api/v1/roles/{role}",
    "PUT /api/v1/staff/{user}/roles/{role}",
    "DELETE /api/v1/staff/{user}/roles/{role}",
    "POST /api/v1/staff/invitations",
    "DELETE /api/v1/staff/invitations/{id}",
    "POST /api/v1/me/identities/codes",
    "POST /api/v1/me/identities/link",
    "POST /api/v1/me/identities/start",
    "POST /api/v1/me/identities/finish",
    "DELETE /api/v1/me/identities/{identity_id}",
    "POST /api/v1/users/{key}/identities/codes",
    "POST /api/v1/users/{key}/identities/link",
    "POST /api/v1/keys",
    "DELETE /api/v1/keys/{id}",
    "POST /api/v1/openid-clients",
    "PATCH /api/v1/openid-clients/{client_id}",
    "DELETE /api/v1/openid-clients/{client_id}",
    "POST /api/v1/openid-clients/{client_id}/secret",
    "POST /api/v1/webhooks",
    "POST /api/v1/webhooks/{id}/secret",
    # Access to the account of another, and the place of a game server
    "POST /api/v1/users/{key}/manage/password/change",
    "POST /api/v1/users/{key}/manage/email/change",
    "POST /api/v1/servers",
    # Much at once, and what exceeds limits
    "POST /api/v1/actions/undo",
    "POST /api/v1/approvals/{id}/approve",
    "POST /api/v1/approvals/{id}/reject",
    "PUT /api/v1/economy/rules/{name}",
    "DELETE /api/v1/economy/rules/{name}",
    # What makes items outside of every limit
    "PUT /api/v1/orders/{shop}/{order_id}",
    "PUT /api/v1/shops/{shop}/products/{product}",
    "DELETE /api/v1/shops/{shop}/products/{product}",
    "POST /api/v1/codes/batches",
    "POST /api/v1/codes/batches/{batch_id}/download",
    # What never comes back
    "DELETE /api/v1/users/{key}",
    # Second factors and sessions
    "POST /api/v1/me/factors/totp",
    "POST /api/v1/me/factors/totp/confirm",
    "POST /api/v1/me/factors/passkeys/options",
    "POST /api/v1/me/factors/passkeys",
    "DELETE /api/v1/me/factors/{factor_id}",
    "POST /api/v1/me/recovery-codes",
    "DELETE /api/v1/me/sessions",
    "DELETE /api/v1/me/sessions/{session_id}",
    "DELETE /api/v1/staff/{user}/factors",
}
"""The second factor was verified within ten minutes."""

UNFINISHED = {
    "GET /api/v1/me",
    "POST /api/v1/session/totp",
    "POST /api/v1/session/recovery",
    "POST /api/v1/session/passkey/options",
    "POST /api/v1/session/passkey",
    "DELETE /api/v1/session",
    "GET /api/v1/me/factors",
}
"""Whoever has entered the password, and nothing else yet, may call these."""

ENROLMENT = UNFINISHED | {
    "POST /api/v1/me/factors/totp",
    "POST /api/v1/me/factors/totp/confirm",
    "POST /api/v1/me/factors/passkeys/options",
    "POST /api/v1/me/factors/passkeys",
}
"""And these, as long as the account has no second factor at all."""

LET_IN = {
    "POST /api/v1/session/passkey/options": "200",
    "DELETE /api/v1/session": "200",
    "GET /api/v1/me/email": "200",
    "POST /api/v1/me/email/verification": "200",
    "GET /api/v1/me/factors": "200",
    "POST /api/v1/me/factors/totp": "200",
    "POST /api/v1/me/factors/passkeys/options": "200",
    "DELETE /api/v1/me/factors/{factor_id}": "404 factor_not_found",
    "POST /api/v1/me/recovery-codes": "409 no_second_factor",
    "GET /api/v1/me/filters": "200",
    "DELETE /api/v1/me/filters/{id}": "404 filter_not_found",
    "GET /api/v1/me/sessions": "200",
    "DELETE /api/v1/me/sessions": "200",
    "DELETE /api/v1/me/sessions/{session_id}": "404 session_not_found",
}
"""What a session is answered where keys are told that it is for sessions."""

BY_BEARER_ONLY = "/api/oauth/"
"""Below this a cookie is nothing."""
