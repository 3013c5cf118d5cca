"""Endpoints of economy rules: list, create, replace and delete them."""

from uuid import UUID

from gamekeeper.api.path_parameters import RuleName
from gamekeeper.core.schemas import Body, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.findings import rules
from gamekeeper.ledger.findings.rules import (
    EconomyRule,
    Effect,
    InvalidRule,
    RuleChange,
    RuleNotFound,
    RuleRemoval,
    Shape,
    TooManyRules,
)

routes = Routes("/api/v1/economy/rules")

READ = "economy.read"
MANAGE = "economy.manage"


class EconomyRules(Record, frozen=True):
    values: list[EconomyRule]


class PutRule(Body, frozen=True):
    shape: Shape
    """
    `created_per_hour` (in the whole game), `given_per_day` (by each staff member and API key) or
    `received_by_new_account`.
    """
    more_than: int
    """The rule is exceeded by more than this, 0 to 9007199254740992."""
    item_id: UUID | None = None
    """The item; by default, the value of all items counts, by the values of the catalog."""
    days: int | None = None
    """Of `received_by_new_account`: the age in days up to which an account is new, 1 to 365."""
    effect: Effect = "flag"
    """`flag`: a finding. `hold`: also, gifts beyond it by API callers wait for approval."""


@routes.get("", READ)
async def list_economy_rules(reader: Reader) -> EconomyRules:
    """All rules, by name; at most 100."""
    return EconomyRules(values=await rules.list_rules(reader))


@routes.get("/{name}", READ, raises=(RuleNotFound,))
async def get_economy_rule(reader: Reader, name: RuleName) -> EconomyRule:
    """One rule, by its name."""
    return await rules.find_rule(reader, name)


@routes.put("/{name}", MANAGE, raises=(InvalidRule, TooManyRules), step_up=True)
async def put_economy_rule(
    database: Database, by: AuditContext, name: RuleName, body: PutRule
) -> EconomyRule:
    """
    Create a rule, or replace the one with this name.

    A rule that holds applies to gifts (`/players/{key}/items/give`) of callers with a key, a token
    or a session: beyond it the response is 202, with the id of a request for approval.
    Transactions of game servers are never held, only flagged.
    """
    order = RuleChange(
        by=by,
        name=name,
        shape=body.shape,
        item_id=body.item_id,
        more_than=body.more_than,
        days=body.days,
        effect=body.effect,
    )
    return await rules.change.one(database, order)


@routes.delete("/{name}", MANAGE, raises=(RuleNotFound,), step_up=True)
async def remove_economy_rule(database: Database, by: AuditContext, name: RuleName) -> EconomyRule:
    """Delete a rule; its findings stay."""
    return await rules.remove.one(database, RuleRemoval(by=by, name=name))
