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

STAFF_PARAMETERS = {
    "roles.role": ("The role's name.", GAME_MASTER),
    "staff.user": ("A username, in any letter case, or a user id.", USER.name),
    "staff.role": ("The role's name.", "support"),
}

LIMIT = ", 0 to 9007199254740992; without it, no limit."

STAFF_FIELDS = {
    "CreateRole.name": "1 to 32 characters: a small letter, then small letters, digits and `-`.",
    "CreateRole.description": "What the role is for: at most 200 characters on one line.",
    "CreateRole.scopes": "What whoever has it may do, each a scope that the caller has.",
    "CreateRole.limits": "How much may be handed out and undone in a day; without it, no limit.",
    "ChangeRole.description": "Another description; an empty one removes it.",
    "ChangeRole.scopes": "All the scopes that it has from now on.",
    "ChangeRole.limits": "All the limits that it has from now on; an empty object removes them.",
    "DeleteRole.withdraw": "Whether to withdraw it from everybody who has it.",
    "StaffQuery.role": "Only those who have this role.",
    "LimitsBody.piecesperday": "Pieces of any one item handed out in a day" + LIMIT,
    "LimitsBody.valueperday": "Value handed out in a day, by the values of the catalog" + LIMIT,
    "LimitsBody.largestgift": "Pieces handed out by one change" + LIMIT,
    "LimitsBody.undosperday": "Actions undone in a day" + LIMIT,
    "LimitsRecord.PiecesPerDay": "Pieces of any one item handed out in a day; null: no limit.",
    "LimitsRecord.ValuePerDay": "Value handed out in a day, by the values of the catalog; null: "
    "no limit.",
    "LimitsRecord.LargestGift": "Pieces handed out by one change; null: no limit.",
    "LimitsRecord.UndosPerDay": "Actions undone in a day; null: no limit.",
    "RoleRecord.BuiltIn": "Whether it is always there, with scopes that only an upgrade changes.",
    "RoleRecord.Members": "How many accounts have it; of a deleted one, had it.",
    "StaffMember.Roles": "Empty if the last one was just withdrawn.",
    "StaffMember.Scopes": "What it may do by all of its roles.",
    "StaffMember.Limits": "Of each limit, the most generous among the roles that need it.",
    "Whoami.Id": "As in the audit log: `key:` or `user:`, and an id.",
    "Whoami.Kind": "What it came with: an API `key`, the `token` of an account, or the `session` "
    "of a browser.",
    "Whoami.UserId": "The account; null for a key.",
    "Whoami.Roles": "Of a session only: with a token, an account has its powers and no roles.",
    "Whoami.Scopes": "All that there are, for a key that may do everything.",
    "Whoami.Session": "Null unless it came with a session.",
    "SessionFacts.State": "`signed_in`; or what the sign-in still needs: `second_factor_required`, "
    "`enrolment_required`.",
    "SessionFacts.VerifiedAt": "When the second factor was last verified; null: never.",
    "SessionFacts.StepUpUntil": "Until when it is not asked for again; null: never verified.",
}

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
