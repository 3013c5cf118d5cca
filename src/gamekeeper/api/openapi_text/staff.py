"""Text and examples for the OpenAPI document: staff, roles, and who the caller is."""

from datetime import UTC, datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import USER
from gamekeeper.api.v1.me import SessionFacts, Whoami
from gamekeeper.auth.authorisation import STEP_UP
from gamekeeper.auth.limits import Limits, LimitsRecord
from gamekeeper.auth.roles import BUILT_IN, DESCRIPTIONS
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import LARGEST_PAGE, Page, Window
from gamekeeper.http.openapi import Example
from gamekeeper.users.staff.authority import RoleExceedsCaller
from gamekeeper.users.staff.members import HeldRole, RoleNotHeld, StaffMember
from gamekeeper.users.staff.records import RoleNotFound, RoleRecord
from gamekeeper.users.staff.roles import RoleInUse, in_use

GAME_MASTER = "game-master"
THEN = datetime(2026, 3, 14, 18, 0, tzinfo=UTC)
FIRST = Window.of(0, LARGEST_PAGE)

SUPPORT = RoleRecord(
    name="support",
    description=DESCRIPTIONS["support"],
    built_in=True,
    scopes=sorted(BUILT_IN["support"]),
    limits=LimitsRecord.of(Limits(pieces_per_day=500, largest_gift=20)),
    members=3,
    created_at=THEN,
)
ROLE = RoleRecord(
    name=GAME_MASTER,
    description="runs events in the evening",
    built_in=False,
    scopes=["commands", "players.items", "players.read"],
    limits=LimitsRecord.of(Limits(largest_gift=20)),
    members=0,
    created_at=THEN,
)
MEMBER = StaffMember(
    user_id=USER.id,
    name=USER.name,
    roles=[HeldRole(name="support", granted_at=THEN)],
    scopes=SUPPORT.scopes,
    limits=SUPPORT.limits,
)
ME = Whoami(
    id=f"user:{USER.id}",
    kind="session",
    name=USER.name,
    user_id=USER.id,
    roles=["support"],
    scopes=SUPPORT.scopes,
    limits=SUPPORT.limits,
    session=SessionFacts(
        id=UUID("019cede6-4e55-7f77-9092-71bd3f5e8a0c"),
        state="signed_in",
        verified_at=THEN,
        step_up_until=THEN + STEP_UP,
    ),
)
WANTED = {
    "name": ROLE.name,
    "description": ROLE.description,
    "scopes": ROLE.scopes,
    "limits": {"largestgift": 20},
}
CHANGED = structs.replace(ROLE, limits=LimitsRecord.of(Limits(largest_gift=50)))

STAFF_TAGS = {
    "staff": "The people who run the game: accounts with roles.",
    "roles": "What roles may do: scopes, and limits of how much is handed out in a day.",
    "me": "Who the caller is, and what it may do.",
}


LIMIT = ", 0 to 9007199254740992; without it, no limit."


STAFF_EXAMPLES = {
    "get_me": Example(answer=ME),
    "list_roles": Example(answer=Page.of([SUPPORT, ROLE], 2, FIRST)),
    "get_role": Example(answer=ROLE),
    "create_role": Example(body=WANTED, answer=ROLE),
    "change_role": Example(body={"limits": {"largestgift": 50}}, answer=CHANGED),
    "delete_role": Example(answer=CHANGED),
    "list_staff": Example(answer=Page.of([MEMBER], 1, FIRST)),
    "grant_role": Example(answer=MEMBER),
    "withdraw_role": Example(
        answer=structs.replace(MEMBER, roles=[], scopes=[], limits=LimitsRecord.of(None))
    ),
}

STAFF_REFUSALS: dict[type[Problem], Problem] = {
    RoleNotFound: RoleNotFound(f"No role with name '{GAME_MASTER}'."),
    RoleNotHeld: RoleNotHeld("'ana' does not have the role 'support'."),
    RoleInUse: RoleInUse(in_use(GAME_MASTER, 2), members=2),
    RoleExceedsCaller: RoleExceedsCaller(
        "The role 'support' has the scope 'actions.undo', which you lack.", scope="actions.undo"
    ),
}
