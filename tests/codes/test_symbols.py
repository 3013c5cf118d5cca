"""The symbols of codes: typing mistakes are noticed or forgiven, and never another code."""

import random
from itertools import combinations

import pytest
from msgspec import structs

from gamekeeper.auth.secrets import Vault
from gamekeeper.codes import symbols
from gamekeeper.core import typed_codes
from gamekeeper.core.settings import Hidden

CODES = [symbols.with_check(random.Random(seed).getrandbits(60)) for seed in range(20)]


@pytest.mark.parametrize("number", [0, 1, 31, 32, 2**60 - 1, 123456789])
def test_every_number_has_a_code_that_is_read_back(number):
    code = symbols.with_check(number)
    assert len(code) == 14
    assert code.startswith(typed_codes.spell(number, 12))
    assert symbols.parse(code) == code


def test_every_wrong_symbol_is_noticed():
    for code in CODES:
        for place, right in enumerate(code):
            for wrong in typed_codes.ALPHABET.replace(right, ""):
                assert symbols.parse(code[:place] + wrong + code[place + 1 :]) == symbols.NO_CODE


def test_every_two_symbols_that_were_swapped_are_noticed():
    for code in CODES:
        for first, second in combinations(range(14), 2):
            swapped = list(code)
            swapped[first], swapped[second] = code[second], code[first]
            if code[first] != code[second]:
                assert symbols.parse("".join(swapped)) == symbols.NO_CODE


@pytest.mark.parametrize(
    "form",
    [
        "SPRING-{}-{}-{}-{}",
        "spring {} {} {} {}",
        "  {}{}{}{}\n",
        "{}\t{}-{} {}",
        "FROHE OSTERN! {}-{}-{}-{}",
    ],
)
def test_case_blanks_hyphens_and_prefixes_do_not_matter(form):
    for code in CODES:
        groups = [code[0:4], code[4:8], code[8:12], code[12:]]
        assert symbols.parse(form.format(*groups)) == code
        assert symbols.parse(form.format(*(group.lower() for group in groups))) == code


def test_symbols_that_look_alike_are_read_as_the_one_that_exists():
    for code in CODES:
        typed = code.replace("0", "O").replace("1", random.Random(code).choice("IiLl"))
        assert symbols.parse(typed) == code


@pytest.mark.parametrize("text", ["", " ", "SPRING", "0" * 13, "é" * 14, "0" * 81, "U" * 14])
def test_text_that_cannot_be_a_code_is_none(text):
    assert symbols.parse(text) == symbols.NO_CODE


def test_codes_are_random_and_written_in_groups():
    made = list(symbols.new_codes(1000))
    assert len(set(made)) == 1000
    assert all(symbols.parse(code) == code for code in made)
    assert symbols.written("0123456789ABCD", "SPRING") == "SPRING-0123-4567-89AB-CD"
    assert symbols.written("0123456789ABCD", None) == "0123-4567-89AB-CD"


def test_codes_stay_valid_after_a_key_rotation(settings):
    old = Vault(settings)
    keys = Hidden("new:" + "ab" * 32 + "," + settings.password_keys)
    new = Vault(structs.replace(settings, password_keys=keys))
    [stored] = symbols.hashes_of(old, CODES[0])
    assert stored in symbols.hashes_of(new, CODES[0])
    assert symbols.hashes_of(new, CODES[0])[0] != stored
