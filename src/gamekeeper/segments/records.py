"""The shapes of segments: conditions in groups (exactly two levels), and saved segments."""

import re
from typing import Literal
from uuid import UUID

from gamekeeper.core.parsing import Scalar, Wide
from gamekeeper.core.schemas import Instant, Record

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""Of segments and of lists."""

MAX_SEGMENTS = 200
MAX_GROUPS = 10
MAX_CONDITIONS = 20
"""In all groups of a segment together: each one can be a subquery."""
MAX_DESCRIPTION_LENGTH = 500
SAMPLE_SIZE = 20

Match = Literal["all", "any"]
ConditionField = Literal[
    "level",
    "class",
    "created",
    "account_created",
    "last_online",
    "hours_played",
    "online",
    "item",
    "player_variable",
    "user_variable",
    "guild",
    "sanction",
    "list",
]
RestrictionKind = Literal["ban", "mute", "trade_lock"]


class Condition(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One condition on a character or its account. The field decides which others apply."""

    field: ConditionField
    """The property that is compared."""
    negate: bool = False
    """Whether characters match that do not meet the rest of the condition."""
    at_least: Wide | None = None
    """`level`, `hours_played`, `item` and variables: the smallest value."""
    at_most: Wide | None = None
    """`level`, `hours_played` and variables: the largest value."""
    since: Instant | None = None
    """`created`, `account_created` and `last_online`: at this instant or later."""
    before: Instant | None = None
    """`created`, `account_created` and `last_online`: before this instant."""
    within_days: int | None = None
    """`created`, `account_created` and `last_online`: in the last days, counted from now."""
    id: UUID | None = None
    """The class, item, variable or guild; of `guild`, null means any guild."""
    equals: Scalar | None = None
    """Variables: exactly this value."""
    kind: RestrictionKind | None = None
    """`sanction`: the kind that is in force; null means any of the three."""
    list: str | None = None
    """`list`: the name of an uploaded list."""


class ConditionGroup(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    match: Match = "all"
    """Whether a character must meet all conditions or any of them."""
    conditions: list[Condition]


class Definition(Record, frozen=True, kw_only=True):
    match: Match = "all"
    """Whether a character must meet all groups or any of them."""
    groups: list[ConditionGroup]

    @property
    def conditions(self) -> list[Condition]:
        return [condition for group in self.groups for condition in group.conditions]


class Segment(Record, frozen=True, kw_only=True):
    name: str
    description: str
    match: Match
    """Whether a member must meet all groups or any of them."""
    groups: list[ConditionGroup]
    changed_at: Instant
    changed_by_name: str

    @property
    def definition(self) -> Definition:
        return Definition(match=self.match, groups=self.groups)


class SegmentMember(Record, frozen=True, kw_only=True):
    id: UUID
    name: str
    level: int
    class_id: UUID
    user_id: UUID


class SegmentPreview(Record, frozen=True, kw_only=True):
    """The number of members and some of them."""

    count: int
    """The number of members; if `IsEstimate`, the middle of the estimate."""
    is_estimate: bool
    """Whether `Count` was estimated from a sample, because counting takes longer."""
    at_least: int
    """With 95 % confidence, the count is at least this; the count itself if exact."""
    at_most: int
    """With 95 % confidence, the count is at most this; the count itself if exact."""
    samples: list[SegmentMember]
    """At most 20 members."""
