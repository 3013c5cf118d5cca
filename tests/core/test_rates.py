"""Rate limits in words."""

import pytest

from gamekeeper.core import rates
from gamekeeper.core.rates import BadRates, Rate
from gamekeeper.core.settings import BadSettings, Settings

DATABASE = {"GAMEKEEPER_DATABASE_URL": "postgresql://localhost/x"}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("read 600/minute", {"read": ("read", 600, 60)}),
        ("  READ 1 / second ,write off", {"read": ("read", 1, 1), "write": None}),
        (
            "sign-in 5/hour, public 7/day",
            {"sign-in": ("sign-in", 5, 3600), "public": ("public", 7, 86_400)},
        ),
        ("", {}),
        ("off", dict.fromkeys(rates.CLASSES)),
    ],
)
def test_limits_are_written_in_words(words, named):
    expected = {name: Rate.of(*about) if about else None for name, about in named.items()}
    assert dict(rates.parse(words)) == expected


@pytest.mark.parametrize(
    "words",
    [
        "read",
        "read 0/minute",
        "read 10000001/minute",
        "read 999999999/minute",
        "read -1/minute",
        "read 1.5/minute",
        "read ٣/minute",
        "read 10/fortnight",
        "reads 10/minute",
        "read 10/minute write 10/minute",
        "read 10/minute, read 20/minute",
        "off, read 10/minute",
    ],
)
def test_what_is_no_limit_is_refused(words):
    with pytest.raises(BadRates):
        rates.parse(words)


def test_of_stored_words_a_version_takes_those_that_it_knows():
    assert dict(rates.stored("read 5/minute, teleport 3/day, list off")) == {
        "read": Rate.of("read", 5, 60),
        "list": None,
    }


def test_the_defaults_limit_every_class():
    assert rates.parse(rates.DEFAULTS).keys() == set(rates.CLASSES)
    assert all(rates.parse(rates.DEFAULTS).values())


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("RATE_LIMITS", "read 10 per minute", "'read 600/minute, list off'"),
        ("KEY_RATE_LIMITS", "write many", "not 'write many'"),
        ("REDIS_URL", "http://cache:6379", "redis://user:password@host:port"),
        ("REDIS_URL", "redis://:hunter2@cache:6379/games", "redis://user:password@host:port"),
    ],
)
def test_a_process_with_bad_limits_does_not_start_and_says_what_is_allowed(name, value, said):
    with pytest.raises(BadSettings) as refused:
        Settings.read(DATABASE | {f"GAMEKEEPER_{name}": value})
    assert f"GAMEKEEPER_{name}" in str(refused.value)
    assert said in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_good_limits_and_a_redis_are_accepted():
    settings = Settings.read(
        DATABASE
        | {
            "GAMEKEEPER_RATE_LIMITS": "off",
            "GAMEKEEPER_KEY_RATE_LIMITS": "read 10/second",
            "GAMEKEEPER_REDIS_URL": "rediss://user:hunter2@cache:6380/1",
        }
    )
    assert "hunter2" not in repr(settings)
