"""The environment is read once, and strictly."""

import re
from pathlib import Path

import msgspec
import pytest

from gamekeeper.core.environment import DESCRIPTIONS, FOR_CLIENTS
from gamekeeper.core.production import unfit_for_production
from gamekeeper.core.settings import BadSettings, Settings

ROOT = Path(__file__).parents[2]
DATABASE = {"GAMEKEEPER_DATABASE_URL": "postgresql://ana:sesame@db/game"}


def test_a_database_is_all_that_is_needed():
    assert Settings.read(DATABASE).inventory_slots == 35


def test_without_a_database_the_error_shows_how_to_name_one():
    with pytest.raises(BadSettings, match="export GAMEKEEPER_DATABASE_URL="):
        Settings.read({})


def test_a_misspelled_variable_stops_the_start_and_is_named():
    with pytest.raises(BadSettings, match="GAMEKEEPER_INVENTORY_SLOT"):
        Settings.read(DATABASE | {"GAMEKEEPER_INVENTORY_SLOT": "3"})


@pytest.mark.parametrize("slots", ["0", "-1", "many", "1.5"])
def test_a_number_out_of_bounds_stops_the_start(slots):
    with pytest.raises(BadSettings, match="GAMEKEEPER_INVENTORY_SLOTS"):
        Settings.read(DATABASE | {"GAMEKEEPER_INVENTORY_SLOTS": slots})


@pytest.mark.parametrize("entry", ["x:0", "x:65536", "x:y", "http://x/", "[::1", "x:1:2", "a b"])
def test_what_is_no_host_with_a_port_stops_the_start(entry):
    with pytest.raises(BadSettings, match="GAMEKEEPER_WEBHOOK_HOSTS"):
        Settings.read(DATABASE | {"GAMEKEEPER_WEBHOOK_HOSTS": f"good.internal,{entry}"})


def test_secrets_do_not_show_themselves():
    settings = Settings.read(DATABASE | {"GAMEKEEPER_SMTP_URL": "smtp://u:hunter2@mail"})

    assert "sesame" not in repr(settings)
    assert "hunter2" not in repr(settings)
    assert "00" * 32 not in repr(settings)


def test_development_values_are_not_fit_for_production():
    faults = unfit_for_production(Settings.read(DATABASE))

    assert [fault.split()[0] for fault in faults] == [
        "GAMEKEEPER_PASSWORD_KEYS",
        "GAMEKEEPER_PUBLIC_URL",
    ]


def test_the_development_key_is_found_even_behind_another():
    keys = "a:" + "11" * 32 + ",dev:" + "00" * 32
    env = DATABASE | {"GAMEKEEPER_PASSWORD_KEYS": keys, "GAMEKEEPER_PUBLIC_URL": "https://x.org"}

    assert len(unfit_for_production(Settings.read(env))) == 1


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("STAFF_SECOND_FACTOR", "optional", "a password alone"),
        ("STAFF_STEP_UP", "off", "staff would never verify"),
        ("PUBLIC_URL", "http://localhost:9000", "would not be Secure"),
        ("PUBLIC_URL", "http://127.0.0.2", "would not be Secure"),
    ],
)
def test_production_wants_a_second_factor_and_a_secure_cookie(name: str, value: str, said: str):
    fit = DATABASE | {
        "GAMEKEEPER_PASSWORD_KEYS": "mine:" + "ab" * 32,
        "GAMEKEEPER_PUBLIC_URL": "https://play.example.org",
    }
    assert unfit_for_production(Settings.read(fit)) == []

    [fault] = unfit_for_production(Settings.read(fit | {f"GAMEKEEPER_{name}": value}))

    assert said in fault


@pytest.mark.parametrize("url", ["mysql://b/game", "postgresql://b,c/game", "b:5432/game"])
def test_a_replica_that_is_not_one_server_stops_the_start(url):
    with pytest.raises(BadSettings, match="GAMEKEEPER_REPLICA_URL"):
        Settings.read(DATABASE | {"GAMEKEEPER_REPLICA_URL": url})


def test_a_proxy_that_is_no_network_stops_the_start():
    with pytest.raises(BadSettings, match="GAMEKEEPER_TRUSTED_PROXIES"):
        Settings.read(DATABASE | {"GAMEKEEPER_TRUSTED_PROXIES": "10.0.0.0/8,mars"})


@pytest.mark.parametrize("point", ["after_lunch:kill", "after_lock", "after_lock:kill:0", "kill"])
def test_a_fail_point_that_is_none_stops_the_start(point):
    with pytest.raises(BadSettings, match="GAMEKEEPER_FAIL_POINT"):
        Settings.read(DATABASE | {"GAMEKEEPER_FAIL_POINT": point})


def test_a_fail_point_is_not_fit_for_production():
    env = DATABASE | {"GAMEKEEPER_FAIL_POINT": "after_commit:kill:9"}

    assert [fault for fault in unfit_for_production(Settings.read(env)) if "FAIL_POINT" in fault]


def test_origins_are_read_in_any_letter_case_and_with_spaces():
    given = " https://Example.org, http://localhost:5173,*,https://[::1]:8443 ,"
    settings = Settings.read(DATABASE | {"GAMEKEEPER_CORS_ORIGINS": given})
    assert settings.origins == {
        "https://example.org",
        "http://localhost:5173",
        "https://[::1]:8443",
        "*",
    }


@pytest.mark.parametrize(
    "origin",
    [
        *(
            "example.org",
            "https://example.org/",
            "https://example.org/path",
            "https://*.example.org",
        ),
        *("null", "ftp://example.org", "https://", "https://a b", "https://example.org:x"),
        # Browsers leave the usual port out, so these would never match.
        *("https://example.org:443", "http://example.org:80"),
    ],
)
def test_what_is_no_origin_stops_the_start(origin):
    with pytest.raises(BadSettings, match="GAMEKEEPER_CORS_ORIGINS"):
        Settings.read(DATABASE | {"GAMEKEEPER_CORS_ORIGINS": origin})


def test_a_port_is_usual_only_with_its_scheme():
    both = "http://example.org:443,https://example.org:80"
    settings = Settings.read(DATABASE | {"GAMEKEEPER_CORS_ORIGINS": both})
    assert len(settings.origins) == 2


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            *("CONNECTIONS", "many"),
            "(database connections of one process) must be a whole number from 1 to 100",
        ),
        ("CONNECTIONS", "101", "must be a whole number from 1 to 100, not '101'."),
        ("SESSION_DAYS", "9" * 400, "must be a whole number from 1 to 36,500, not '999"),
        (
            *("LOG_LEVEL", "verbose"),
            "(log level) must be debug, info, warning or error, not 'verbose'.",
        ),
        ("LOG_FORMAT", "JSON", "must be auto, json or console, not 'JSON'."),
        (
            *("PUBLIC_URL", "game.example.org"),
            "must be a URL such as https://play.example.org, not 'game.example.org'.",
        ),
        ("PUBLIC_URL", "ftp://game.example.org", "must be a URL such as"),
        ("PUBLIC_URL", "https://game.example.org:port", "must be a URL such as"),
        ("PUBLIC_URL", "https://game.example.org/#here", "must be a URL such as"),
        ("PUBLIC_URL", "https://", "must be a URL such as"),
        ("MAIL_FROM", "The Keeper", "must be a sender such as The Game <keeper@example.org>"),
        ("MAIL_FROM", "a@b.org\nBcc: eve@example.org", "must be a sender such as"),
        ("GAME_NAME", "Lyra\nSubject: x", "must be one line of text"),
        ("METRICS_ADDRESS", "9090", "must be host:port, not '9090'."),
        ("TRUSTED_PROXIES", "10.0.0.1/8", "10.0.0.1/8 has host bits set"),
        ("ANCHOR_KEY", "12", "must be 64 hexadecimal digits."),
    ],
)
def test_the_message_says_what_is_allowed_and_what_it_got(name, value, sentence):
    with pytest.raises(BadSettings) as caught:
        Settings.read(DATABASE | {f"GAMEKEEPER_{name}": value})

    assert str(caught.value).startswith(f"GAMEKEEPER_{name} (")
    assert sentence in str(caught.value)
    assert "$." not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SMTP_URL", "mail.example.org"),
        ("SMTP_URL", "smtp://keeper:sesame@mail:none"),
        ("SMTP_URL", "smtp://keeper:ses#ame@mail"),
        ("SMTP_URL", "http://keeper:sesame@mail"),
        ("DATABASE_URL", "mysql://ana:sesame@db/game"),
        ("DATABASE_URL", "postgresql://ana:ses#ame@db/game"),
        ("DATABASE_URL", "postgresql://ana:ses/ame@db/game"),
        ("DATABASE_URL", "postgresql://ana:sesame@db:port/game"),
        ("REPLICA_URL", "postgresql://ana:ses?ame@db/game"),
        ("ANCHOR_KEY", "sesame" * 10),
    ],
)
def test_a_bad_value_that_may_hold_a_password_is_not_shown(name, value):
    with pytest.raises(BadSettings, match=f"^GAMEKEEPER_{name} ") as caught:
        Settings.read(DATABASE | {f"GAMEKEEPER_{name}": value})

    assert "ses" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgres:///game",
        "postgresql://db",
        "postgresql://ana:se@same@db:5432/game",
        "postgresql://ana@a:1,b:2/game?target_session_attrs=read-write",
        "postgresql://[::1]:5432/game",
        "postgresql://postgres@/postgres?host=%2Ftmp%2Fx&port=5432",
    ],
)
def test_every_form_that_the_driver_understands_is_allowed(url):
    assert Settings.read({"GAMEKEEPER_DATABASE_URL": url}).database_url == url


def test_all_mistakes_are_listed_at_once():
    env = {"GAMEKEEPER_CONNECTIONS": "0", "GAMEKEEPER_LOG_LEVEL": "loud", "GAMEKEEPER_X": "1"}

    with pytest.raises(BadSettings) as caught:
        Settings.read(env)

    words = str(caught.value)
    for name in ("CONNECTIONS", "LOG_LEVEL", "X", "DATABASE_URL"):
        assert f"\n  GAMEKEEPER_{name} " in words


def test_the_nearest_setting_is_suggested():
    with pytest.raises(
        BadSettings, match=r"SMPT_URL is not a known .* Did you mean GAMEKEEPER_SMTP_URL"
    ):
        Settings.read(DATABASE | {"GAMEKEEPER_SMPT_URL": "smtp://mail"})


def test_an_empty_variable_is_an_unset_one():
    env = DATABASE | {"GAMEKEEPER_SMTP_URL": "", "GAMEKEEPER_CONNECTIONS": " "}

    settings = Settings.read(env)

    assert settings.smtp_url is None
    assert settings.connections == 8


SERVICE = {
    "GAMEKEEPER_SERVICE_HOST": "10.96.12.7",
    "GAMEKEEPER_SERVICE_PORT": "8000",
    "GAMEKEEPER_SERVICE_PORT_HTTP": "8000",
    "GAMEKEEPER_PORT": "tcp://10.96.12.7:8000",
    "GAMEKEEPER_PORT_8000_TCP": "tcp://10.96.12.7:8000",
    "GAMEKEEPER_PORT_8000_TCP_PROTO": "tcp",
    "GAMEKEEPER_PORT_8000_TCP_PORT": "8000",
    "GAMEKEEPER_PORT_8000_TCP_ADDR": "10.96.12.7",
    "GAMEKEEPER_WEB_SERVICE_HOST": "fd00::7",
    "GAMEKEEPER_WEB_PORT": "tcp://[fd00::7]:80",
}
"""What Kubernetes sets in every pod for Services called gamekeeper and gamekeeper-web."""


def test_variables_of_kubernetes_and_of_tests_are_not_ours():
    Settings.read(DATABASE | SERVICE | {"GAMEKEEPER_TEST_SERVER": "postgresql://x/{}"})
    ours = {"GAMEKEEPER_CLIENT_URL": "http://127.0.0.1:8000", "GAMEKEEPER_CLIENT_KEY": "gk_x"}
    Settings.read(DATABASE | ours)


@pytest.mark.parametrize(
    "page", sorted(str(page.relative_to(ROOT)) for page in (ROOT / "clients").glob("*/README.md"))
)
def test_the_variables_of_clients_break_no_command(page):
    """They are exported in the shell in which somebody then runs `gamekeeper`."""
    names = set(re.findall(r"GAMEKEEPER_[A-Z_]+", (ROOT / page).read_text()))

    assert names >= FOR_CLIENTS
    for name in names - {f"GAMEKEEPER_{setting.upper()}" for setting in DESCRIPTIONS}:
        Settings.read(DATABASE | {name: "x"})


@pytest.mark.parametrize("name", sorted(SERVICE))
def test_such_a_name_with_another_value_is_a_mistake(name):
    with pytest.raises(BadSettings, match=f"{name} is not a known setting"):
        Settings.read(DATABASE | {name: "yes please"})


def test_every_setting_is_described_for_its_message():
    assert {field.name for field in msgspec.structs.fields(Settings)} == set(DESCRIPTIONS)
