"""The settings that are not fit for production: development values, and what has no effect."""

from gamekeeper.core.origins import is_for_development
from gamekeeper.core.settings import DEVELOPMENT_SENDER, DEVELOPMENT_URL, Settings


def unfit_for_production(settings: Settings) -> list[str]:
    """The settings that still have a development value, each with the remedy."""
    faults = []
    if "GAMEKEEPER_PASSWORD_KEYS" in settings.development_keys:
        faults.append(
            "GAMEKEEPER_PASSWORD_KEYS is the public development key. "
            "Generate one: echo 2026a:$(openssl rand -hex 32)"
        )
    if settings.public_url == DEVELOPMENT_URL:
        faults.append("GAMEKEEPER_PUBLIC_URL is not set, so links in mails would not work.")
    elif is_for_development(settings.public_url):
        faults.append(
            "GAMEKEEPER_PUBLIC_URL is an address of this machine: no other browser can "
            "open it, and the session cookie would not be Secure."
        )
    if is_for_development(settings.openid_issuer):
        faults.append("GAMEKEEPER_OPENID_ISSUER is of this machine. Use an https URL.")
    if settings.staff_second_factor == "optional":
        faults.append(
            "GAMEKEEPER_STAFF_SECOND_FACTOR is optional: a password alone would open the "
            "accounts of staff. Unset it."
        )
    if settings.staff_step_up == "off":
        faults.append(
            "GAMEKEEPER_STAFF_STEP_UP is off: staff would never verify their factor again. "
            "Unset it."
        )
    if settings.report_outcomes == "mailed" and settings.smtp_url is None:
        faults.append("GAMEKEEPER_REPORT_OUTCOMES=mailed needs GAMEKEEPER_SMTP_URL.")
    if settings.email_verification == "required" and settings.smtp_url is None:
        faults.append("GAMEKEEPER_EMAIL_VERIFICATION=required needs GAMEKEEPER_SMTP_URL.")
    if settings.smtp_url and settings.mail_from == DEVELOPMENT_SENDER:
        faults.append("GAMEKEEPER_MAIL_FROM is not set, so mail servers would reject mails.")
    if "GAMEKEEPER_ANCHOR_KEY" in settings.development_keys:
        faults.append(
            "GAMEKEEPER_ANCHOR_KEY is the public development key. "
            "Generate one: openssl rand -hex 32"
        )
    if settings.fail_point:
        faults.append("GAMEKEEPER_FAIL_POINT is set: the service would crash. Unset it.")
    return faults
