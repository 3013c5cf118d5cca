"""
What the service answers, as it is spelled on the wire.

Written from the OpenAPI document by tests/clients/records.py; not by hand.
"""

from typing import Any, NotRequired, TypedDict


class Player(TypedDict):
    Name: str
    InBank: bool
    UserId: str
    MaxVitals: list[int]
    Id: str
    ClassId: str
    ClassName: str
    Gender: int
    Level: int
    Exp: int
    ExperienceToNextLevel: int
    StatPoints: int
    Vitals: list[int]
    BaseStats: list[int]
    StatPointAllocations: list[int]
    Equipment: list[int]
    MapId: str
    MapName: str
    X: int
    Y: int
    Z: int
    Dir: int
    Sprite: str
    Face: str
    Online: bool
    LastOnline: str | None
    CreationDate: str
    PlayTimeSeconds: int


class OnlineCount(TypedDict):
    onlineCount: int


class PlayerVariable(TypedDict):
    VariableId: str
    Value: bool | int | float | str


class VariableValue(TypedDict):
    value: bool | int | float | str


class Slot(TypedDict):
    Slot: int
    BagId: str | None
    ItemId: str
    Quantity: int
    StatBuffs: list[int]


class Items(TypedDict):
    inventory: list[Slot]
    bank: list[Slot]


class Bag(TypedDict):
    Id: str
    SlotCount: int
    Slots: list[Slot]


class Holding(TypedDict):
    total: int
    bank: int
    inventory: int


class GivenItem(TypedDict):
    id: str
    quantity: Holding


class TakenItem(TypedDict):
    ItemId: str
    Quantity: int


class KnownSpell(TypedDict):
    Slot: int
    SpellId: str


class SpellLearned(TypedDict):
    SpellId: str


class Power(TypedDict):
    Editor: bool
    Ban: bool
    Kick: bool
    Mute: bool
    Api: bool
    PersonalInformation: bool


class User(TypedDict):
    Id: str
    Name: str
    Email: str
    Power: Power
    PasswordResetCode: str | None
    IsMuted: bool
    MuteReason: str | None


class Registered(TypedDict):
    Username: str
    Email: str


class Message(TypedDict):
    Message: str


class ApiPower(TypedDict):
    Editor: bool
    Ban: bool
    Kick: bool
    Mute: bool
    Api: bool
    ApiPersonalInformation: bool
    ApiUserManagement: bool


class ChangedUser(TypedDict):
    Id: str
    Name: str
    Email: str
    Power: ApiPower
    PasswordResetCode: str | None
    IsMuted: bool
    MuteReason: str | None


class ResetAsked(TypedDict):
    Message: str
    Delivery: Any


class Sheet(TypedDict):
    ClassId: str
    Gender: int
    StatPoints: int
    Vitals: list[int]
    MaxVitals: list[int]
    BaseStats: list[int]
    StatPointAllocations: list[int]
    Equipment: list[int]
    MapId: str
    MapName: str
    X: int
    Y: int
    Z: int
    Dir: int
    Sprite: str
    Face: str
    NameColor: str


class Posting(TypedDict):
    Seq: int
    Place: Any
    Inside: str | None
    Slot: int
    ItemId: str
    Quantity: int
    Against: str
    HeldBefore: int
    HeldAfter: int
    StatBuffs: list[int]
    BagId: str | None


class Event(TypedDict):
    Id: str
    At: str
    Kind: str
    Actor: str
    ActorName: str
    PlayerId: str | None
    UserId: str | None
    ItemId: str | None
    Before: Any
    After: Any
    Reason: str | None
    RequestId: str
    Address: str | None
    Undoes: str | None
    UndoneBy: str | None
    Postings: list[Posting]


class Session(TypedDict):
    ServerId: str
    ServerName: str
    JoinedAt: str
    LeftAt: str | None


class Sessions(TypedDict):
    Values: list[Session]
    Next: str | None


class ItemChange(TypedDict):
    ItemId: str
    Place: Any
    Before: int
    After: int
    Change: int


class ItemChanges(TypedDict):
    Values: list[ItemChange]


class Returned(TypedDict):
    ItemId: str
    Quantity: int
    Place: Any
    Slot: int
    FromPlace: Any
    FromSlot: int
    StatBuffs: list[int]


class Restored(TypedDict):
    ActionId: str | None
    At: str
    DryRun: bool
    Values: list[Returned]


class Entry(TypedDict):
    Id: str
    At: str
    Kind: str
    Actor: str
    ActorName: str
    PlayerId: str | None
    UserId: str | None
    ItemId: str | None
    Before: Any
    After: Any
    Reason: str | None
    RequestId: str
    Address: str | None
    Undoes: str | None
    UndoneBy: str | None


class Change(TypedDict):
    What: Any
    Id: str | None
    Name: str | None
    Place: str | None
    Slot: int | None
    Quantity: int | None
    Before: bool | int | float | str | None
    After: bool | int | float | str | None


class Obstacle(TypedDict):
    Reason: Any
    What: Any
    Id: str | None
    Name: str | None
    Place: str | None
    Wanted: int | None
    Possible: int | None
    Expected: bool | int | float | str | None
    Found: bool | int | float | str | None


class Undone(TypedDict):
    Id: str | None
    Undoes: str
    Kind: str
    PlayerId: str | None
    UserId: str | None
    DryRun: bool
    Complete: bool
    Done: list[Change]
    NotDone: list[Obstacle]


class Tally(TypedDict):
    Kind: str
    Found: int
    Undone: int
    Partly: int
    AlreadyUndone: int
    Covered: int
    Left: int


class Left(TypedDict):
    Id: str
    Kind: str
    Code: str
    Message: str
    InTheWay: list[Obstacle]


class Swept(TypedDict):
    Actor: str
    DryRun: bool
    Kinds: list[Tally]
    Left: list[Left]
    Next: str | None


class ItemSupply(TypedDict):
    Id: str
    Name: str
    Total: int
    Inventories: int
    Banks: int
    Bags: int


class Flow(TypedDict):
    Day: str
    Source: str
    Came: int
    Went: int


class Holder(TypedDict):
    PlayerId: str
    Name: str | None
    Quantity: int


class ItemEconomy(TypedDict):
    Id: str
    Name: str
    Total: int
    Inventories: int
    Banks: int
    Bags: int
    Flows: list[Flow]
    Holders: list[Holder]


class Server(TypedDict):
    Id: str
    Name: str
    Alive: bool
    Online: int
    RegisteredAt: str
    LeaseUntil: str | None


class Lease(TypedDict):
    Id: str
    Name: str
    Fence: int
    LeaseUntil: str
    LeaseSeconds: int
    HeartbeatSeconds: int


class Joined(TypedDict):
    PlayerId: str
    Seq: int
    MovedFrom: str | None


class Joining(TypedDict):
    Values: list[Joined]
    Unknown: list[str]


class Changed(TypedDict):
    Changed: int
    NotHere: list[str]


class StoppedServer(TypedDict):
    Id: str
    Fence: int


class OnlineThen(TypedDict):
    At: str
    Average: float
    Lowest: int
    Highest: int


class OnlineHistory(TypedDict):
    Span: Any
    Values: list[OnlineThen]


class Stood(TypedDict):
    PlayerId: str
    Seq: int


class Done(TypedDict):
    Id: str
    Players: list[Stood]


class Failure(TypedDict):
    Message: str
    Code: str
    RequestId: str
    Details: NotRequired[dict[str, Any] | None]


class TransactionOutcome(TypedDict):
    Key: str
    Status: int
    Replayed: bool
    Done: Done | None
    Failure: Failure | None


class TransactionOutcomes(TypedDict):
    Values: list[TransactionOutcome]


class EventEntry(TypedDict):
    Id: str
    At: str
    Kind: str
    Actor: str
    ActorName: str
    PlayerId: str | None
    UserId: str | None
    ItemId: str | None
    Before: Any
    After: Any
    Reason: str | None
    RequestId: str
    Address: str | None
    Undoes: str | None
    UndoneBy: str | None
    Seq: int


class EventEntries(TypedDict):
    Values: list[EventEntry]
    Next: int


class NewlyKeyed(TypedDict):
    Id: str
    Url: str
    Kinds: list[str] | None
    Enabled: bool
    OffReason: str | None
    FailingSince: str | None
    RetryAt: str | None
    OldSecretUntil: str | None
    CreatedAt: str
    Owner: str | None
    OwnerName: str | None
    Secret: str | None


class Webhook(TypedDict):
    Id: str
    Url: str
    Kinds: list[str] | None
    Enabled: bool
    OffReason: str | None
    FailingSince: str | None
    RetryAt: str | None
    OldSecretUntil: str | None
    CreatedAt: str
    Owner: str | None
    OwnerName: str | None


class Webhooks(TypedDict):
    Values: list[Webhook]


class Delivery(TypedDict):
    Id: str
    MessageId: str
    Seq: int | None
    Kind: str
    State: str
    Attempts: int
    TriedAt: str | None
    Status: int | None
    Answer: str | None
    Fault: str | None


class Replayed(TypedDict):
    Count: int
    Complete: bool


class DeliveryShown(TypedDict):
    Id: str
    MessageId: str
    Seq: int | None
    Kind: str
    State: str
    Attempts: int
    TriedAt: str | None
    Status: int | None
    Answer: str | None
    Fault: str | None
    Payload: Any


TokenAnswer = TypedDict(
    "TokenAnswer",
    {
        "access_token": str,
        "token_type": str,
        "expires_in": int,
        "refresh_token": str,
        ".issued": str,
        ".expires": str,
        "token_id": str,
    },
)


class Revoked(TypedDict):
    pass


class EndedTokens(TypedDict):
    Username: str
    Ended: int


class EndedToken(TypedDict):
    Username: str
    TokenId: str


class Health(TypedDict):
    status: str


class Readiness(TypedDict):
    status: str
    replica: Any
