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
    LastOnline: str
    CreationDate: str
    PlayTimeSeconds: int
    Dead: bool


class PlayerHits(TypedDict):
    Values: list[Player]
    More: bool


class OnlineCount(TypedDict):
    onlineCount: int


class PlayerVariable(TypedDict):
    VariableId: str
    Value: bool | int | float | str
    VariableName: NotRequired[str]


class VariableValue(TypedDict):
    value: bool | int | float | str


class Slot(TypedDict):
    Slot: int
    BagId: str | None
    ItemId: str
    Quantity: int
    StatBuffs: list[int]
    ItemName: NotRequired[str]


class CarriedItems(TypedDict):
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
    id: str


class KnownSpell(TypedDict):
    Slot: int
    SpellId: str
    SpellName: NotRequired[str]


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
    IsBanned: bool
    RegistrationDate: str
    PlayTimeSeconds: int


class UserHits(TypedDict):
    Values: list[User]
    More: bool


class RegisteredUser(TypedDict):
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
    IsBanned: bool
    RegistrationDate: str


class PasswordResetStatus(TypedDict):
    Message: str
    Delivery: str


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


class Party(TypedDict):
    PlayerId: str
    Name: str | None


class Posting(TypedDict):
    Seq: int
    Place: str
    Inside: str | None
    Slot: int
    ItemId: str
    Quantity: int
    Against: str
    HeldBefore: int
    HeldAfter: int
    StatBuffs: list[int]
    BagId: str | None
    Counterparties: list[Party]
    ItemName: NotRequired[str]


class TimelineEntry(TypedDict):
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
    ItemName: NotRequired[str | None]
    PlayerName: NotRequired[str | None]
    UserName: NotRequired[str | None]
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
    Place: str
    Before: int
    After: int
    Change: int
    ItemName: NotRequired[str]


class ItemChanges(TypedDict):
    Values: list[ItemChange]


class Transfer(TypedDict):
    At: str
    TransactionId: str
    Quantity: int
    StatBuffs: list[int]
    Giver: Party
    Receivers: list[Party]


class TrailHolder(TypedDict):
    PlayerId: str
    Name: str | None
    Quantity: int


class Trail(TypedDict):
    IsExact: bool
    IsComplete: bool
    Transfers: list[Transfer]
    Holders: list[TrailHolder]


class RestoredItem(TypedDict):
    ItemId: str
    Quantity: int
    Place: str
    Slot: int
    FromPlace: str
    FromSlot: int
    StatBuffs: list[int]


class HandedOn(TypedDict):
    ItemId: str
    StatBuffs: list[int]
    BagId: str | None
    Quantity: int
    At: str
    TransactionId: str
    To: list[Party]


class RestoreResult(TypedDict):
    ActionId: str | None
    At: str
    DryRun: bool
    Values: list[RestoredItem]
    HandedOn: list[HandedOn]


class GameInfo(TypedDict):
    name: str
    port: int


class Authorized(TypedDict):
    authorized: bool


class GameStats(TypedDict):
    uptime: int
    cps: int
    connectedClients: int
    onlineCount: int


class PlayerLimits(TypedDict):
    MaxCharacters: int
    MaxInventory: int
    MaxBank: int
    InitialBankslots: int
    MaxLevel: int
    MaxSpells: int
    MaxStat: int


class GameConfig(TypedDict):
    GameName: str
    ServerPort: int
    Player: PlayerLimits


class AuditLogEntry(TypedDict):
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
    ItemName: NotRequired[str | None]
    PlayerName: NotRequired[str | None]
    UserName: NotRequired[str | None]


class UndoChange(TypedDict):
    What: str
    Id: str | None
    Name: str | None
    Place: str | None
    Slot: int | None
    Quantity: int | None
    Before: bool | int | float | str | None
    After: bool | int | float | str | None


class UndoBlocker(TypedDict):
    Reason: str
    What: str
    Id: str | None
    Name: str | None
    Place: str | None
    Wanted: int | None
    Possible: int | None
    Expected: bool | int | float | str | None
    Found: bool | int | float | str | None


class UndoResult(TypedDict):
    Id: str | None
    Undoes: str
    Kind: str
    PlayerId: str | None
    UserId: str | None
    DryRun: bool
    Complete: bool
    Done: list[UndoChange]
    NotDone: list[UndoBlocker]


class UndoCounts(TypedDict):
    Kind: str
    Found: int
    Undone: int
    Partly: int
    AlreadyUndone: int
    Covered: int
    Left: int


class UndoFailure(TypedDict):
    Id: str
    Kind: str
    Code: str
    Message: str
    InTheWay: list[UndoBlocker]


class BulkUndoResult(TypedDict):
    Actor: str
    DryRun: bool
    Kinds: list[UndoCounts]
    Left: list[UndoFailure]
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


class ItemEntry(TypedDict):
    Id: str
    Name: str
    Type: str
    Stackable: bool
    InventoryStack: int
    BankStack: int
    BagSlots: int
    Bankable: bool


class SpellEntry(TypedDict):
    Id: str
    Name: str
    Bound: bool


class VariableEntry(TypedDict):
    Id: str
    Name: str
    Type: str
    Default: bool | int | float | str


class ClassEntry(TypedDict):
    Id: str
    Name: str
    BaseVitals: list[int]
    VitalIncreases: list[int]
    BaseStats: list[int]
    BaseExp: int
    ExpIncrease: int
    MaxLevel: int


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


class JoinedPlayer(TypedDict):
    PlayerId: str
    Seq: int
    MovedFrom: str | None


class JoinResult(TypedDict):
    Values: list[JoinedPlayer]
    Unknown: list[str]


class PresenceResult(TypedDict):
    Changed: int
    NotHere: list[str]


class StoppedServer(TypedDict):
    Id: str
    Fence: int


class OnlineSample(TypedDict):
    At: str
    Average: float
    Lowest: int
    Highest: int


class OnlineHistory(TypedDict):
    Span: str
    Values: list[OnlineSample]


class LedgerPosition(TypedDict):
    PlayerId: str
    Seq: int


class CommittedTransaction(TypedDict):
    Id: str
    Players: list[LedgerPosition]


class Failure(TypedDict):
    Message: str
    Code: str
    RequestId: str
    Details: NotRequired[dict[str, Any]]


class TransactionOutcome(TypedDict):
    Key: str
    Status: int
    Replayed: bool
    Done: CommittedTransaction | None
    Failure: Failure | None


class TransactionOutcomes(TypedDict):
    Values: list[TransactionOutcome]


class TransactionRecord(TypedDict):
    Id: str
    At: str
    Actor: str
    ActorName: str
    Reason: str | None
    Players: list[Party]
    IsUndone: bool
    Actions: list[TimelineEntry]


class UndoneAction(TypedDict):
    Id: str | None
    Undoes: str
    Kind: str
    PlayerId: str | None
    PlayerName: str | None
    Done: list[UndoChange]


class UndoneTransaction(TypedDict):
    Id: str | None
    Undoes: str
    DryRun: bool
    Players: list[Party]
    Actions: list[UndoneAction]


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
    ItemName: NotRequired[str | None]
    PlayerName: NotRequired[str | None]
    UserName: NotRequired[str | None]
    Seq: int


class EventEntries(TypedDict):
    Values: list[EventEntry]
    Next: int


class WebhookWithSecret(TypedDict):
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


class ReplayResult(TypedDict):
    Count: int
    Complete: bool


class DeliveryDetail(TypedDict):
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


class TokenRevocation(TypedDict):
    pass


class EndedTokens(TypedDict):
    Username: str
    Ended: int


class EndedToken(TypedDict):
    Username: str
    TokenId: str


class EndedSignIns(TypedDict):
    username: str


class EndedSignIn(TypedDict):
    username: str
    tokenId: str


class Health(TypedDict):
    status: str


class Readiness(TypedDict):
    status: str
    replica: str
