"""Email messages, rendered from templates as plain text and HTML (multipart)."""

from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTPUTF8
from email.utils import localtime, parseaddr

import idna
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from gamekeeper.core.languages.texts import Texts
from gamekeeper.core.settings import Settings

TEMPLATES = Environment(
    loader=PackageLoader("gamekeeper.users.mail", "templates"),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
)


def password_reset(
    settings: Settings,
    *,
    texts: Texts,
    name: str,
    email: str,
    token: str,
    code: str,
    minutes: int,
    reference: str,
) -> EmailMessage:
    """The mail with link and code; `reference` gives a resent mail the same Message-ID."""
    # The page is in the language of the mail, also where the browser prefers another.
    facts = {
        "texts": texts,
        "name": name,
        "game": settings.game_name,
        # In the URL fragment (#) the token stays in the browser: proxies and logs do not see it.
        "link": f"{settings.public_url.rstrip('/')}/reset?language={texts.language}#token={token}",
        "code": f"{code[:4]}-{code[4:]}",
        "minutes": minutes,
    }
    subject = texts.plain("mail.reset.subject", game=settings.game_name)
    letter = _letter(settings, subject, email, reference)
    letter.set_content(TEMPLATES.get_template("password_reset.txt").render(facts))
    letter.add_alternative(
        TEMPLATES.get_template("password_reset.html").render(facts), subtype="html"
    )
    # Last: what is called Content-… before belongs to the plain text only.
    letter["Content-Language"] = texts.language
    return letter


def email_verification(
    settings: Settings,
    *,
    texts: Texts,
    name: str,
    email: str,
    token: str,
    code: str,
    hours: int,
    reference: str,
) -> EmailMessage:
    """The mail with link and code; the page behind the link verifies only after a click."""
    facts = {
        "texts": texts,
        "name": name,
        "game": settings.game_name,
        "link": f"{settings.public_url.rstrip('/')}/verify?language={texts.language}#token={token}",
        "code": f"{code[:4]}-{code[4:]}",
        "hours": hours,
    }
    subject = texts.plain("mail.verify.subject", game=settings.game_name)
    letter = _letter(settings, subject, email, reference)
    letter.set_content(TEMPLATES.get_template("email_verification.txt").render(facts))
    letter.add_alternative(
        TEMPLATES.get_template("email_verification.html").render(facts), subtype="html"
    )
    letter["Content-Language"] = texts.language
    return letter


def email_change(
    settings: Settings, *, texts: Texts, name: str, email: str, new: str, reference: str
) -> EmailMessage:
    """The mail to the former address of an account; `new` is masked."""
    facts = {"texts": texts, "name": name, "game": settings.game_name, "new": new}
    subject = texts.plain("mail.email_change.subject", game=settings.game_name)
    letter = _letter(settings, subject, email, reference)
    letter.set_content(TEMPLATES.get_template("email_change.txt").render(facts))
    letter["Content-Language"] = texts.language
    return letter


def identity_notice(
    settings: Settings,
    *,
    texts: Texts,
    name: str,
    email: str,
    service: str,
    is_linked: bool,
    reference: str,
) -> EmailMessage:
    """The mail about a service that was linked with an account or unlinked."""
    game = settings.game_name
    title = "mail.identity.linked.subject" if is_linked else "mail.identity.unlinked.subject"
    intro = "mail.identity.linked.intro" if is_linked else "mail.identity.unlinked.intro"
    facts = {"texts": texts, "name": name, "game": game, "service": service, "intro": intro}
    letter = _letter(settings, texts.plain(title, game=game, service=service), email, reference)
    letter.set_content(TEMPLATES.get_template("identity_notice.txt").render(facts))
    letter["Content-Language"] = texts.language
    return letter


def report_outcome(
    settings: Settings,
    *,
    texts: Texts,
    name: str,
    email: str,
    player: str | None,
    is_action_taken: bool,
    reference: str,
) -> EmailMessage:
    """The mail to a reporter; `player` None: the reported character no longer exists."""
    game = settings.game_name
    about = (
        texts.plain("mail.outcome.about", player=player, game=game)
        if player
        else texts.plain("mail.outcome.about_erased", game=game)
    )
    outcome = "mail.outcome.action_taken" if is_action_taken else "mail.outcome.no_action"
    facts = {"texts": texts, "name": name, "about": about, "outcome": outcome}
    subject = texts.plain("mail.outcome.subject", game=game)
    letter = _letter(settings, subject, email, reference)
    letter.set_content(TEMPLATES.get_template("report_outcome.txt").render(facts))
    letter["Content-Language"] = texts.language
    return letter


def staff_invitation(
    settings: Settings,
    *,
    email: str,
    inviter: str,
    role: str,
    link: str,
    expires_at: datetime,
    reference: str,
) -> EmailMessage:
    """The mail with the link of an invitation; in English, as the console is."""
    facts = {
        "game": settings.game_name,
        "inviter": inviter,
        "role": role,
        "link": link,
        "expires": f"{expires_at.astimezone(UTC):%-d %B %Y, %H:%M} UTC",
    }
    subject = f"Invitation to the staff of {settings.game_name}"
    letter = _letter(settings, subject, email, reference)
    letter.set_content(TEMPLATES.get_template("staff_invitation.txt").render(facts))
    letter["Content-Language"] = "en"
    return letter


def _letter(settings: Settings, subject: str, email: str, reference: str) -> EmailMessage:
    letter = EmailMessage(policy=SMTPUTF8)
    letter["Subject"] = subject
    letter["From"] = settings.mail_from
    letter["To"] = _deliverable(email)
    letter["Date"] = localtime()
    letter["Message-ID"] = f"<{reference}@{_domain(settings.mail_from)}>"
    letter["Auto-Submitted"] = "auto-generated"
    return letter


def _deliverable(email: str) -> str:
    """The address with its domain in IDNA (Punycode), which every mail server understands."""
    local, _, domain = email.rpartition("@")
    return f"{local}@{idna.encode(domain).decode()}"


def _domain(mail_from: str) -> str:
    return parseaddr(mail_from)[1].rpartition("@")[2] or "localhost"
