"""The environment is read once, and strictly."""

import pytest

from gamekeeper.core.settings import BadSettings, Settings

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
    faults = Settings.read(DATABASE).unfit_for_production()

    assert [fault.split()[0] for fault in faults] == [
        "GAMEKEEPER_PASSWORD_KEYS",
        "GAMEKEEPER_PUBLIC_URL",
    ]


def test_the_development_key_is_found_even_behind_another():
    keys = "a:" + "11" * 32 + ",dev:" + "00" * 32
    env = DATABASE | {"GAMEKEEPER_PASSWORD_KEYS": keys, "GAMEKEEPER_PUBLIC_URL": "https://x.org"}

    assert len(Settings.read(env).unfit_for_production()) == 1


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

    assert [fault for fault in Settings.read(env).unfit_for_production() if "FAIL_POINT" in fault]


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
