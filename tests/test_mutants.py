"""The planted bugs of `just mutants` fit the code that they are planted in."""

from tests.torture.mutants import MUTANTS, PACKAGE


def test_every_planted_bug_finds_its_place_once():
    lost = [
        mutant.bug
        for mutant in MUTANTS
        if (PACKAGE / mutant.file).read_text().count(mutant.good) != 1
    ]
    assert lost == []
