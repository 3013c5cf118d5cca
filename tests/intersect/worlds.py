"""A whole game with something of everything, and how tests import it."""

from pathlib import Path
from zoneinfo import ZoneInfo

from gamekeeper.core.settings import Settings
from gamekeeper.transfer.intersect import importer, sources
from gamekeeper.transfer.intersect.importer import Options
from gamekeeper.transfer.intersect.report import IntersectReport
from tests.intersect.games import Game, js, named
from tests.make import BY

BERLIN = Options(zone=ZoneInfo("Europe/Berlin"))


async def bring(settings: Settings, folder: Path, options: Options = BERLIN) -> IntersectReport:
    source = sources.open_folder(folder)
    try:
        return await importer.bring(settings, source, BY, options)
    finally:
        source.close()


def dry(options: Options = BERLIN) -> Options:
    return Options(zone=options.zone, dry_run=True)


def make_game(folder: Path, version: str) -> Game:
    """Two accounts and two characters, who have items, bags, spells, variables and the rest."""
    game = Game(folder, version)
    game.catalog()
    powers = {"Editor": True, "Ban": True, "Kick": False, "Mute": False, "Api": True}
    powers["ApiRoles"] = {"UserQuery": True, "UserManage": False}
    ana = game.user("Ana", Power=js(powers))
    bo = game.user("Bo", RegistrationDate=None)
    hero = game.player("Hero", ana)
    mage = game.player("Mage", bo, Equipment="[-1,-1,-1,-1,-1,-1,-1]", NameColor=None)
    for player in (hero, mage):
        game.empty_slots(player)
    game.held("Player_Items", hero, 0, "sword", buffs=[1, 2, 3, 0, -5])
    game.held("Player_Items", hero, 3, "potion", 9)
    game.held("Player_Items", hero, 5, "pouch", bag=game.bag("bag of Hero"))
    game.held("Bag_Items", named("bag of Hero"), 2, "potion", 4)
    game.held("Bag_Items", named("bag of Hero"), 0, "sword")
    game.held("Player_Bank", hero, 99, "coin", 1_000_000)
    game.held("Player_Items", mage, 1, "coin", 5)
    game.spell(hero, 0, "spark")
    game.spell(hero, 7, "blink")
    game.variable(hero, "done", 1, True)
    game.variable(hero, "karma", 2, -5)
    game.variable(hero, "title", 3, "the Ünready")
    game.variable(mage, "rate", 4, 0.5)
    game.add(
        "Player_Friends",
        OwnerId=game.id(hero, nullable=True),
        TargetId=game.id(mage, nullable=True),
    )
    game.add(
        "Player_Quests",
        PlayerId=game.id(hero),
        QuestId=game.id("quest"),
        TaskId=game.id("task"),
        TaskProgress=2,
        Completed=0,
    )
    game.add("Player_Hotbar", PlayerId=game.id(hero), Slot=1, ItemOrSpellId=game.id("spark"))
    ban = {"PlayerId": game.id(bo), "Ip": "", "StartTime": "2026-01-01 00:00:00", "Reason": "Bots"}
    game.add("Bans", Id=game.id("ban"), EndTime="2099-01-01 00:00:00", Banner="Ana", **ban)
    game.add("Mutes", Id=game.id("mute"), EndTime="2026-02-01 00:00:00", Muter="Ana", **ban)
    return game
