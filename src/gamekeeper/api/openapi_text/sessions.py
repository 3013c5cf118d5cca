"""Text and examples for the OpenAPI document: sign-in with a browser, and second factors."""

from datetime import UTC, datetime
from uuid import UUID

from gamekeeper.api.v1.factors import (
    AddedFactor,
    FactorRecord,
    Factors,
    RecoveryCodes,
    TotpEnrolment,
)
from gamekeeper.api.v1.session import PasskeyOptions, SessionStatus, SignedOut
from gamekeeper.api.v1.sessions import BrowserSessionRecord, EndedSessions, ResetFactors
from gamekeeper.core.schemas import Page, Window
from gamekeeper.http.openapi import Example

SESSION = UUID("5d2f0c8e-6b1a-4c7d-9e3f-8a4b5c6d7e8f")
FACTOR = UUID("7e3a1d9f-7c2b-4d8e-8f40-9b5c6d7e8f90")
MEMBER = UUID("8f4b2e0a-8d3c-4e9f-9a51-0c6d7e8f90a1")
STARTED = datetime(2026, 3, 14, 18, 0, tzinfo=UTC)
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"  # noqa: S105
URI = f"otpauth://totp/the%20game:ana?secret={SECRET}&issuer=the%20game"
CHALLENGE = "3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs"
CREDENTIAL = "AbCdEfGhIjKlMnOpQrStUvWxYz012345"

SIGNED_IN = SessionStatus(state="signed_in", methods=["recovery", "totp"], session_id=SESSION)
APP = FactorRecord(
    id=FACTOR,
    kind="totp",
    name="Authenticator app",
    created_at=STARTED,
    used_at=datetime(2026, 3, 15, 9, 41, tzinfo=UTC),
)
ADDED = AddedFactor(id=FACTOR, kind="totp", name="Authenticator app")
PASSKEY = AddedFactor(id=FACTOR, kind="passkey", name="Laptop")
BROWSER = BrowserSessionRecord(
    id=SESSION,
    is_current=True,
    method="totp",
    address="192.0.2.7",
    user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    created_at=STARTED,
    seen_at=datetime(2026, 3, 14, 18, 22, tzinfo=UTC),
    verified_at=STARTED,
    expires_at=datetime(2026, 3, 15, 6, 0, tzinfo=UTC),
)
BROWSERS = Page.of([BROWSER], 1, Window.of(0, 5))
CODE = {"code": "492039"}
ASSERTION = {
    "id": CREDENTIAL,
    "clientdatajson": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
    "authenticatordata": "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
    "signature": "MEUCIQD",
}
ATTESTATION = {
    "id": CREDENTIAL,
    "clientdatajson": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
    "attestationobject": "o2NmbXRkbm9uZQ",
    "transports": ["internal"],
    "name": "Laptop",
}

SESSION_TAGS = {
    "session": "Sign-in of staff with a browser: the password, the second factor, step-up. For "
    "our own pages: changes by cookie need the header `X-Gamekeeper: 1`.",
}


SESSION_EXAMPLES = {
    "sign_in_with_password": Example(
        body={"username": "ana", "password": "5e" * 32},
        answer=SessionStatus(
            state="second_factor_required", methods=["recovery", "totp"], session_id=SESSION
        ),
    ),
    "sign_in_with_link": Example(
        body={"code": f"gkl_{'A' * 43}3f9c2a"},
        answer=SessionStatus(state="signed_in", methods=[], session_id=SESSION),
    ),
    "verify_totp": Example(body=CODE, answer=SIGNED_IN),
    "verify_recovery_code": Example(
        body={"code": "7KQM-2XWD-9ABC-3DEF-4GHJ-5KMN"}, answer=SIGNED_IN
    ),
    "begin_passkey_verification": Example(
        answer=PasskeyOptions(
            options={
                "challenge": CHALLENGE,
                "timeout": 60_000,
                "rpId": "play.example.org",
                "allowCredentials": [{"id": CREDENTIAL, "type": "public-key"}],
                "userVerification": "required",
            }
        )
    ),
    "verify_passkey": Example(body=ASSERTION, answer=SIGNED_IN),
    "sign_out": Example(answer=SignedOut(session_id=SESSION)),
    "list_factors": Example(answer=Factors(values=[APP], recovery_codes_left=9)),
    "begin_totp_enrolment": Example(
        body={"name": "Authenticator app"},
        answer=TotpEnrolment(id=FACTOR, secret=SECRET, uri=URI, qr_code="<svg>…</svg>"),
    ),
    "confirm_totp_enrolment": Example(body={"id": str(FACTOR)} | CODE, answer=ADDED),
    "begin_passkey_enrolment": Example(
        answer=PasskeyOptions(
            options={
                "rp": {"name": "the game", "id": "play.example.org"},
                "user": {"id": "OzIxMjM0NTY3ODkwYWI", "name": "ana", "displayName": "ana"},
                "challenge": CHALLENGE,
                "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
                "timeout": 60_000,
                "authenticatorSelection": {"userVerification": "required"},
                "attestation": "none",
            }
        )
    ),
    "add_passkey": Example(body=ATTESTATION, answer=PASSKEY),
    "remove_factor": Example(answer=APP),
    "make_recovery_codes": Example(
        answer=RecoveryCodes(codes=["7KQM-2XWD-9ABC-3DEF-4GHJ-5KMN", "…"])
    ),
    "list_own_sessions": Example(answer=BROWSERS),
    "end_other_sessions": Example(answer=EndedSessions(ended=2)),
    "end_own_session": Example(answer=SignedOut(session_id=SESSION)),
    "list_staff_sessions": Example(answer=BROWSERS),
    "end_staff_sessions": Example(answer=EndedSessions(ended=2)),
    "end_staff_session": Example(answer=SignedOut(session_id=SESSION)),
    "reset_factors": Example(answer=ResetFactors(user_id=MEMBER, removed=1)),
}
