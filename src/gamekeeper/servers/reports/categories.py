"""Categories of reports, and how severe each is."""

from collections.abc import Mapping
from typing import Literal

ReportCategory = Literal[
    "cheating",
    "harassment",
    "spam",
    "offensive_name",
    "real_money_trading",
    "exploit",
    "other",
]

SEVERITIES: Mapping[ReportCategory, int] = {
    "cheating": 3,
    "harassment": 3,
    "exploit": 3,
    "real_money_trading": 2,
    "offensive_name": 1,
    "spam": 1,
    "other": 1,
}
"""From 1 to 3. The priority of a case is the severity times the number of its reporters."""
