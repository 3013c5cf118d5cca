"""Retention rules of what is counted: players online, items, actions and findings."""

from gamekeeper.db.retention_statements import Rule

STATISTICS: list[Rule] = [
    Rule(
        name="online_counts_minutes",
        table="online_counts",
        key="span, at",
        age="at",
        days=lambda _: 8,
        where="span = 'minute'",
    ),
    Rule(
        name="online_counts_hours",
        table="online_counts",
        key="span, at",
        age="at",
        days=lambda _: 2 * 366,
        where="span = 'hour'",
    ),
    Rule(
        name="server_online_minutes",
        table="server_online_counts",
        key="span, at, server_id",
        age="at",
        days=lambda _: 8,
        where="span = 'minute'",
    ),
    Rule(
        name="server_online_hours",
        table="server_online_counts",
        key="span, at, server_id",
        age="at",
        days=lambda _: 2 * 366,
        where="span = 'hour'",
    ),
    Rule(
        name="server_online_days",
        table="server_online_counts",
        key="span, at, server_id",
        age="at",
        days=lambda _: 5 * 366,
        where="span = 'day'",
    ),
    Rule(
        name="item_movements",
        table="item_movements",
        key="item_id, day, player_id, action_id, against",
        age="day",
        days=lambda _: 92,
    ),
    Rule(
        name="item_hours",
        table="item_hours",
        key="item_id, hour",
        age="hour",
        days=lambda _: 70,
    ),
    Rule(
        name="item_gifts",
        table="item_gifts",
        key="hour, item_id, actor",
        age="hour",
        days=lambda _: 70,
    ),
    Rule(
        name="new_account_receipts",
        table="new_account_receipts",
        key="rule, user_id",
        age="changed_at",
        # An account is new for a year at most.
        days=lambda _: 366,
    ),
    Rule(
        name="hold_usage",
        table="hold_usage",
        key="rule, subject, period",
        age="period",
        days=lambda _: 31,
        # Those of new accounts have no period.
        where="period > 'epoch'",
    ),
    Rule(
        name="findings",
        table="findings",
        key="id",
        age="found_at",
        days=lambda _: 2 * 366,
    ),
    Rule(
        name="action_counts",
        table="action_counts",
        key="hour, kind",
        age="hour",
        days=lambda _: 2 * 366,
    ),
]
