"""The pure rule of guessing: what a charge does to a budget."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamekeeper.auth.login_throttle import POLICIES, Budget, consume, from_address, from_client

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FOR_GOOD = datetime(9999, 1, 1, tzinfo=UTC)
"""What the version before this one wrote."""

kinds = st.sampled_from(sorted(POLICIES))
moments = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
budgets = st.builds(
    Budget,
    subject=kinds.map(lambda kind: f"{kind}:x"),
    failures=st.floats(0, 1000),
    streak=st.integers(0, 200),
    counted_at=moments,
    blocked_until=moments | st.just(EPOCH) | st.just(FOR_GOOD),
)


def unspent(kind: str) -> Budget:
    """A budget that nobody has used."""
    return Budget(subject=f"{kind}:x", failures=0, streak=0, counted_at=NOW, blocked_until=EPOCH)


@given(budgets, moments)
def test_who_must_wait_is_told_exactly_how_long(budget, now):
    outcome = consume(budget, now)

    until = min(budget.blocked_until, budget.counted_at + timedelta(seconds=budget.policy.longest))
    assert isinstance(outcome, timedelta) == (now < until)
    if isinstance(outcome, timedelta):
        assert now + outcome == until


@given(budgets, moments)
def test_a_charge_is_one_more_and_forgives_no_more_than_time_has_passed(budget, now):
    outcome = consume(budget, now)

    if isinstance(outcome, Budget):
        passed = max(0.0, (now - budget.counted_at).total_seconds())
        least = budget.failures - passed / budget.policy.forgiven_after + 1
        assert max(1.0, least) - 1e-6 <= outcome.failures <= budget.failures + 1
        assert outcome.streak == budget.streak + 1
        assert outcome.counted_at == now
        assert outcome.subject == budget.subject


@given(kinds, st.lists(st.floats(0, 2000), max_size=150))
def test_no_pace_gets_more_attempts_than_the_policy_has(kind, pauses):
    """However the tries are spaced: the free ones, one for each forgiven, one for each wait."""
    policy = POLICIES[kind]
    budget, now, tried, waited = unspent(kind), NOW, 0, 0
    for pause in pauses:
        now += timedelta(seconds=pause)
        outcome = consume(budget, now)
        if isinstance(outcome, Budget):
            waited += budget.blocked_until > budget.counted_at
            budget, tried = outcome, tried + 1

    forgiven = (now - NOW).total_seconds() / policy.forgiven_after
    assert tried <= policy.free + forgiven + waited


@given(kinds, st.integers(1, 500))
def test_all_at_once_exactly_the_free_ones_get_through(kind, tries):
    budget, passed = unspent(kind), 0
    for _ in range(tries):
        outcome = consume(budget, NOW)
        if isinstance(outcome, Budget):
            budget, passed = outcome, passed + 1

    assert passed == min(tries, POLICIES[kind].free)


def test_the_waits_of_an_account_double_to_a_quarter_of_an_hour():
    budget, now, waits = unspent("account"), NOW, []
    while len(waits) < 14:
        outcome = consume(budget, now)
        assert isinstance(outcome, Budget)
        budget = outcome
        if budget.blocked_until > now:
            waits.append((budget.blocked_until - now).total_seconds())
            # The failures of the hour are not forgiven, so that the doubling shows alone.
            budget = Budget(
                subject=budget.subject,
                failures=round(budget.failures),
                streak=budget.streak,
                counted_at=budget.blocked_until,
                blocked_until=budget.blocked_until,
            )
            now = budget.blocked_until

    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]


def test_an_hour_forgives_an_account_one_failure():
    budget = unspent("account")
    for _ in range(4):
        outcome = consume(budget, NOW)
        assert isinstance(outcome, Budget)
        budget = outcome

    later = consume(budget, NOW + timedelta(hours=1))

    assert isinstance(later, Budget)
    assert later.failures == 4
    assert later.blocked_until == EPOCH


def attempts(kind: str, days: int) -> int:
    """How often somebody gets through who never waits longer than they must."""
    budget, now, tried = unspent(kind), NOW, 0
    while now < NOW + timedelta(days=days):
        outcome = consume(budget, now)
        if isinstance(outcome, Budget):
            budget, tried = outcome, tried + 1
        else:
            now += outcome
    return tried


@pytest.mark.parametrize(
    ("kind", "first_day", "a_day_later_on"),
    [("account", 102, 24), ("website", 186, 96), ("pair", 186, 96)],
)
def test_the_total_rate_of_all_guessers_is_bounded(kind, first_day, a_day_later_on):
    """The figures of docs/reference/rate-limits.md: however many addresses take part."""
    assert attempts(kind, 1) == first_day
    assert attempts(kind, 31) - attempts(kind, 30) == a_day_later_on


@given(kinds, st.integers(1, 5000))
def test_no_wait_is_for_ever(kind, streak):
    """Whatever was counted before, and however long an attack goes on."""
    policy = POLICIES[kind]
    budget = Budget(
        subject=f"{kind}:x", failures=streak, streak=streak, counted_at=NOW, blocked_until=EPOCH
    )
    outcome = consume(budget, NOW)

    assert isinstance(outcome, Budget)
    assert timedelta() < outcome.blocked_until - NOW <= timedelta(seconds=policy.longest) or (
        streak < policy.free
    )
    assert policy.longest <= 3600


def test_what_an_older_version_blocked_for_good_opens_after_the_longest_wait():
    budget = Budget(
        subject="account:x", failures=95, streak=100, counted_at=NOW, blocked_until=FOR_GOOD
    )

    assert consume(budget, NOW) == timedelta(hours=1)
    assert isinstance(consume(budget, NOW + timedelta(hours=1)), Budget)


def test_a_visitor_of_a_website_has_the_place_they_ask_from():
    assert from_client("key:7", "2001:db8::9") == "client:key:7@address:2001:db8::/64"


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("192.0.2.7", "address:192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "address:2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "address:2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "address:192.0.2.7"),
        ("", "address:unknown"),
        ("a socket", "address:unknown"),
    ],
)
def test_a_home_is_an_ipv4_address_or_an_ipv6_network(address, source):
    """An IPv4 address that came through an IPv6 socket is still that address."""
    assert from_address(address) == source
