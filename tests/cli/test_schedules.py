"""The commands of schedules: plan a campaign, see its runs, skip one, pause and delete it."""

import json
from uuid import UUID

from tests.campaigns.crowds import SEGMENT, Crowd
from tests.cli.command import gamekeeper
from tests.schedules.plans_of import Planner

LETTER = {"kind": "letter", "subject": "Welcome"}
WEEKEND = ("--cron", "0 18 * * FRI", "--ends-cron", "0 9 * * MON", "--zone", "Europe/Berlin")


async def test_a_schedule_is_created_shown_and_deleted(database, settings, tmp_path):
    await Crowd.make(database)
    file = tmp_path / "letter.json"
    file.write_text(json.dumps(LETTER))
    words = ["schedules", "create", "Weekend", SEGMENT, str(file), "--as", "kjell"]
    made = gamekeeper(settings, *words, *WEEKEND, "--json")
    assert made.returncode == 0, made.stderr
    schedule = json.loads(made.stdout)["Id"]

    assert "Weekend" in gamekeeper(settings, "schedules", "list").stdout
    assert "0 18 * * FRI" in gamekeeper(settings, "schedules", "show", schedule).stdout
    coming = json.loads(gamekeeper(settings, "schedules", "next", schedule, "--json").stdout)
    assert len(coming["Values"]) == 10
    second = coming["Values"][1]["PlannedAt"]
    skipped = gamekeeper(settings, "schedules", "skip", schedule, "--at", second, "--as", "kjell")
    assert skipped.returncode == 0, skipped.stderr
    assert gamekeeper(settings, "schedules", "next", schedule).stdout.count("skipped") == 1
    assert "skipped" in gamekeeper(settings, "schedules", "runs", schedule).stdout
    assert "Paused" in gamekeeper(settings, "schedules", "pause", schedule).stdout
    assert "Next run" in gamekeeper(settings, "schedules", "resume", schedule).stdout
    assert "Deleted" in gamekeeper(settings, "schedules", "delete", schedule).stdout
    assert "No schedule" in gamekeeper(settings, "schedules", "show", schedule).stderr


async def test_a_schedule_of_the_command_line_runs(database, settings, tmp_path):
    """It has no account whose rights could be checked."""
    planner = Planner(await Crowd.make(database))
    file = tmp_path / "letter.json"
    file.write_text(json.dumps(LETTER))
    words = ["schedules", "create", "Event", SEGMENT, str(file), "--at", "tomorrow 18:00"]
    made = gamekeeper(settings, *words, "--ends", "2030-01-01T09:00:00Z", "--as", "kjell", "--json")
    assert made.returncode == 0, made.stderr
    schedule = (await planner.find(json.loads(made.stdout)["Id"])).id
    await planner.run("UPDATE schedules SET next_at = now(), starts_at = now()")

    [run] = await planner.work(schedule)

    assert run.state == "started"


async def test_a_wrong_expression_is_refused(database, settings, tmp_path):
    await Crowd.make(database)
    file = tmp_path / "letter.json"
    file.write_text(json.dumps(LETTER))

    refused = gamekeeper(
        settings, "schedules", "create", "Event", SEGMENT, str(file), "--cron", "soon"
    )

    assert (refused.returncode, "cron expression" in refused.stderr) == (1, True)


async def test_a_login_reward_and_a_letter_on_joining(database, settings, tmp_path):
    crowd = await Crowd.make(database)
    file = tmp_path / "letter.json"
    file.write_text(json.dumps(LETTER))
    daily = ("--cron", "0 0 * * *", "--ends-cron", "0 0 * * *", "--on-join")
    made = gamekeeper(
        settings, "schedules", "create", "Daily", SEGMENT, str(file), *daily, "--json"
    )
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["OnJoin"]
    words = ["campaigns", "create", "Welcome", SEGMENT, str(file), "--on-join"]

    refused = gamekeeper(settings, *words)
    assert "needs an end" in refused.stderr
    made = gamekeeper(settings, *words, "--ends", "2030-01-01", "--max-recipients", "7", "--json")
    assert made.returncode == 0, made.stderr
    campaign = json.loads(made.stdout)["Id"]
    started = gamekeeper(settings, "campaigns", "start", campaign, "--as", "kjell")

    assert "at most 7 recipients, when they join" in started.stdout
    assert "at most 7" in gamekeeper(settings, "campaigns", "show", campaign).stdout
    assert (await crowd.shown(UUID(campaign))).state == "running"


async def test_an_announcement_is_planned(settings, database):
    words = ["schedules", "announce", "Festival", "The festival begins.", "--cron", "0 18 * * FRI"]
    made = gamekeeper(settings, *words, "--as", "kjell", "--json")
    assert made.returncode == 0, made.stderr
    schedule = json.loads(made.stdout)
    assert (schedule["Segment"], schedule["Work"]["Kind"]) == (None, "announcement")
    shown = gamekeeper(settings, "schedules", "show", schedule["Id"]).stdout
    assert "all game servers" in shown
