"""The commands of redeem codes, from a file of codes to their revocation."""

import json
import stat

from tests.cli.command import gamekeeper
from tests.make import make_item, make_player


async def test_codes_are_written_redeemed_looked_up_and_revoked(database, settings, tmp_path):
    await make_player(database, "Ana")
    await make_item(database)
    file = tmp_path / "codes.csv"
    create = ("codes", "create", "spring", "3", str(file), "--subject", "Hello")
    made = gamekeeper(settings, *create, "--item", "Potion=5", "--prefix", "SPRING", "--json")
    batch = json.loads(made.stdout)
    assert (batch["State"], batch["Name"], batch["Items"][0]["Quantity"]) == ("active", "spring", 5)
    head, *codes = file.read_text().splitlines()
    assert (head, len(set(codes))) == ("Code", 3)
    # Others on the machine cannot read it, and it is never overwritten.
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "Name a new file." in gamekeeper(settings, *create).stderr
    assert file.read_text().splitlines() == [head, *codes]

    redeemed = gamekeeper(settings, "codes", "redeem", "Ana", codes[0].lower())
    assert redeemed.stdout.startswith("Ana got letter ")
    again = gamekeeper(settings, "codes", "redeem", "Ana", codes[1])
    assert "already redeemed" in again.stderr
    found = gamekeeper(settings, "codes", "look-up", codes[0]).stdout
    assert "1 of 1" in found
    assert "Ana" in found
    assert "1 of 3" in gamekeeper(settings, "codes", "list", "--campaign", "spring").stdout
    assert "1 of 3" in gamekeeper(settings, "codes", "show", batch["Id"]).stdout
    assert "Ana" in gamekeeper(settings, "codes", "redemptions", batch["Id"]).stdout

    revoked = gamekeeper(settings, "codes", "revoke-code", codes[1])
    assert revoked.stdout == "Revoked the code. Redemptions: 0.\n"
    revoked = gamekeeper(settings, "codes", "revoke", batch["Id"])
    assert revoked.stdout == "Revoked the batch. Redemptions: 1 of 3.\n"
    unknown = gamekeeper(settings, "codes", "look-up", "0000")
    assert "Check the code." in unknown.stderr


async def test_without_a_place_for_the_file_no_batch_is_created(database, settings, tmp_path):
    file = tmp_path / "missing" / "codes.csv"
    create = ("codes", "create", "spring", "3", str(file), "--subject", "Hello")

    refused = gamekeeper(settings, *create)

    assert "does not exist" in refused.stderr
    assert await database.reader.value("SELECT count(*) FROM code_batches") == 0
