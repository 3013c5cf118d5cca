"""The commands of mailboxes, and gifts by mail."""

import json

from tests.cli.command import gamekeeper
from tests.make import make_item, make_player


async def test_a_letter_is_sent_listed_claimed_and_withdrawn(database, settings):
    await make_player(database, "Ana")
    await make_item(database)

    def mailbox(*words: str):
        return gamekeeper(settings, "mailbox", *words)

    assert mailbox("list", "Ana").stdout == "The mailbox of Ana is empty.\n"
    send = ("send", "Ana", "Sorry", "--text", "Secret", "--item", "Potion=5", "--as", "Tomas")
    sent = json.loads(mailbox(*send, "--json").stdout)
    assert (sent["State"], sent["Items"][0]["Quantity"]) == ("open", 5)
    wrong = mailbox("send", "Ana", "Sorry", "--item", "Potion=many")
    assert "must be ITEM or ITEM=QUANTITY" in wrong.stderr
    listed = mailbox("list", "Ana").stdout
    assert "5 Potion" in listed
    assert "Tomas" in listed
    assert "Secret" not in mailbox("list", "Ana", "--json").stdout
    claimed = mailbox("claim", "Ana", sent["Id"])
    assert claimed.stdout == f"Ana claimed the items of letter {sent['Id']}.\n"
    assert "no longer open" in mailbox("claim", "Ana", sent["Id"]).stderr
    again = json.loads(mailbox(*send, "--json").stdout)
    withdrawn = mailbox("withdraw", "Ana", again["Id"])
    assert withdrawn.stdout == f"Withdrew letter {again['Id']} from Ana.\n"


async def test_a_letter_takes_items_from_a_character(database, settings):
    for name in ("Ana", "Bo"):
        await make_player(database, name)
    await make_item(database)
    gamekeeper(settings, "players", "give", "Bo", "Potion", "5")
    send = ("mailbox", "send", "Ana", "Yours", "--item", "Potion=3", "--from")
    assert "Did you mean 'Bo'?" in gamekeeper(settings, *send, "Bob").stderr
    expires = ("--return", "--expires", "tomorrow")
    sent = json.loads(gamekeeper(settings, *send, "Bo", *expires, "--json").stdout)
    assert (sent["OnExpiry"], sent["Sender"]["Name"]) == ("return", "Bo")


async def test_a_gift_goes_to_the_mailbox(database, settings):
    await make_player(database, "Ana")
    await make_item(database)
    give = ("players", "give", "Ana", "Potion")
    sent = gamekeeper(settings, *give, "5", "--deliver", "mailbox")
    assert sent.stdout.endswith("0 in the bank. 5 wait in the mailbox.\n")
    rest = json.loads(gamekeeper(settings, *give, "352", "--overflow", "mailbox", "--json").stdout)
    assert (rest["inventory"], rest["mailed"]) == (350, 2)
    assert gamekeeper(settings, *give, "1", "--deliver", "pigeon").returncode == 2
