"""
What the service answers: the keys as on the wire, the attributes with Python names.

Written from the OpenAPI document by tests/clients/records.py; not by hand.
"""

from datetime import date, datetime
from typing import Any

from gamekeeper_client.fields import (
    Field,
    Record,
    as_day,
    as_http_date,
    as_instant,
    as_list,
    as_record,
)


class Player(Record):
    __slots__ = ()
    name = Field[str]("Name")
    in_bank = Field[bool]("InBank")
    user_id = Field[str]("UserId")
    max_vitals = Field[list[int]]("MaxVitals")
    id = Field[str]("Id")
    class_id = Field[str]("ClassId")
    class_name = Field[str]("ClassName")
    gender = Field[int]("Gender")
    level = Field[int]("Level")
    exp = Field[int]("Exp")
    experience_to_next_level = Field[int]("ExperienceToNextLevel")
    stat_points = Field[int]("StatPoints")
    vitals = Field[list[int]]("Vitals")
    base_stats = Field[list[int]]("BaseStats")
    stat_point_allocations = Field[list[int]]("StatPointAllocations")
    equipment = Field[list[int]]("Equipment")
    map_id = Field[str]("MapId")
    map_name = Field[str]("MapName")
    x = Field[int]("X")
    y = Field[int]("Y")
    z = Field[int]("Z")
    dir = Field[int]("Dir")
    sprite = Field[str]("Sprite")
    face = Field[str]("Face")
    online = Field[bool]("Online")
    last_online = Field[datetime]("LastOnline", as_instant)
    creation_date = Field[datetime]("CreationDate", as_instant)
    play_time_seconds = Field[int]("PlayTimeSeconds")
    dead = Field[bool]("Dead")


class PlayerHits(Record):
    __slots__ = ()
    entries = Field[list[Player]]("Values", as_list(Player))
    more = Field[bool]("More")


class OnlineCount(Record):
    __slots__ = ()
    online_count = Field[int]("onlineCount")


class PlayerVariable(Record):
    __slots__ = ()
    variable_id = Field[str]("VariableId")
    value = Field[bool | int | float | str]("Value")
    variable_name = Field[str | None]("VariableName", needed=False)


class VariableValue(Record):
    __slots__ = ()
    value = Field[bool | int | float | str]("value")


class Slot(Record):
    __slots__ = ()
    slot = Field[int]("Slot")
    bag_id = Field[str | None]("BagId")
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    stat_buffs = Field[list[int]]("StatBuffs")
    item_name = Field[str | None]("ItemName", needed=False)


class CarriedItems(Record):
    __slots__ = ()
    inventory = Field[list[Slot]]("inventory", as_list(Slot))
    bank = Field[list[Slot]]("bank", as_list(Slot))


class Bag(Record):
    __slots__ = ()
    id = Field[str]("Id")
    slot_count = Field[int]("SlotCount")
    slots = Field[list[Slot]]("Slots", as_list(Slot))


class Holding(Record):
    __slots__ = ()
    total = Field[int]("total")
    bank = Field[int]("bank")
    inventory = Field[int]("inventory")


class GivenItem(Record):
    __slots__ = ()
    id = Field[str]("id")
    quantity = Field[Holding]("quantity", as_record(Holding))


class TakenItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    id = Field[str]("id")


class KnownSpell(Record):
    __slots__ = ()
    slot = Field[int]("Slot")
    spell_id = Field[str]("SpellId")
    spell_name = Field[str | None]("SpellName", needed=False)


class SpellLearned(Record):
    __slots__ = ()
    spell_id = Field[str]("SpellId")


class Power(Record):
    __slots__ = ()
    editor = Field[bool]("Editor")
    ban = Field[bool]("Ban")
    kick = Field[bool]("Kick")
    mute = Field[bool]("Mute")
    api = Field[bool]("Api")
    personal_information = Field[bool]("PersonalInformation")


class User(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    email = Field[str]("Email")
    power = Field[Power]("Power", as_record(Power))
    password_reset_code = Field[str | None]("PasswordResetCode")
    is_muted = Field[bool]("IsMuted")
    mute_reason = Field[str | None]("MuteReason")
    is_banned = Field[bool]("IsBanned")
    registration_date = Field[datetime]("RegistrationDate", as_instant)
    play_time_seconds = Field[int]("PlayTimeSeconds")


class UserHits(Record):
    __slots__ = ()
    entries = Field[list[User]]("Values", as_list(User))
    more = Field[bool]("More")


class RegisteredUser(Record):
    __slots__ = ()
    username = Field[str]("Username")
    email = Field[str]("Email")


class Message(Record):
    __slots__ = ()
    message = Field[str]("Message")


class ApiPower(Record):
    __slots__ = ()
    editor = Field[bool]("Editor")
    ban = Field[bool]("Ban")
    kick = Field[bool]("Kick")
    mute = Field[bool]("Mute")
    api = Field[bool]("Api")
    api_personal_information = Field[bool]("ApiPersonalInformation")
    api_user_management = Field[bool]("ApiUserManagement")


class ChangedUser(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    email = Field[str]("Email")
    power = Field[ApiPower]("Power", as_record(ApiPower))
    password_reset_code = Field[str | None]("PasswordResetCode")
    is_muted = Field[bool]("IsMuted")
    mute_reason = Field[str | None]("MuteReason")
    is_banned = Field[bool]("IsBanned")
    registration_date = Field[datetime]("RegistrationDate", as_instant)


class PasswordResetStatus(Record):
    __slots__ = ()
    message = Field[str]("Message")
    delivery = Field[str]("Delivery")


class Sheet(Record):
    __slots__ = ()
    class_id = Field[str]("ClassId")
    gender = Field[int]("Gender")
    stat_points = Field[int]("StatPoints")
    vitals = Field[list[int]]("Vitals")
    max_vitals = Field[list[int]]("MaxVitals")
    base_stats = Field[list[int]]("BaseStats")
    stat_point_allocations = Field[list[int]]("StatPointAllocations")
    equipment = Field[list[int]]("Equipment")
    map_id = Field[str]("MapId")
    map_name = Field[str]("MapName")
    x = Field[int]("X")
    y = Field[int]("Y")
    z = Field[int]("Z")
    dir = Field[int]("Dir")
    sprite = Field[str]("Sprite")
    face = Field[str]("Face")
    name_color = Field[str]("NameColor")


class Party(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    name = Field[str | None]("Name")


class Posting(Record):
    __slots__ = ()
    seq = Field[int]("Seq")
    place = Field[str]("Place")
    inside = Field[str | None]("Inside")
    slot = Field[int]("Slot")
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    against = Field[str]("Against")
    held_before = Field[int]("HeldBefore")
    held_after = Field[int]("HeldAfter")
    stat_buffs = Field[list[int]]("StatBuffs")
    bag_id = Field[str | None]("BagId")
    counterparties = Field[list[Party]]("Counterparties", as_list(Party))
    item_name = Field[str | None]("ItemName", needed=False)


class TimelineEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    kind = Field[str]("Kind")
    actor = Field[str]("Actor")
    actor_name = Field[str]("ActorName")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    item_id = Field[str | None]("ItemId")
    before = Field[Any]("Before")
    after = Field[Any]("After")
    reason = Field[str | None]("Reason")
    request_id = Field[str]("RequestId")
    address = Field[str | None]("Address")
    undoes = Field[str | None]("Undoes")
    undone_by = Field[str | None]("UndoneBy")
    item_name = Field[str | None]("ItemName", needed=False)
    player_name = Field[str | None]("PlayerName", needed=False)
    user_name = Field[str | None]("UserName", needed=False)
    postings = Field[list[Posting]]("Postings", as_list(Posting))


class Session(Record):
    __slots__ = ()
    server_id = Field[str]("ServerId")
    server_name = Field[str]("ServerName")
    joined_at = Field[datetime]("JoinedAt", as_instant)
    left_at = Field[datetime | None]("LeftAt", as_instant)


class Sessions(Record):
    __slots__ = ()
    entries = Field[list[Session]]("Values", as_list(Session))
    next = Field[datetime | None]("Next", as_instant)


class ItemChange(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    place = Field[str]("Place")
    before = Field[int]("Before")
    after = Field[int]("After")
    change = Field[int]("Change")
    item_name = Field[str | None]("ItemName", needed=False)


class ItemChanges(Record):
    __slots__ = ()
    entries = Field[list[ItemChange]]("Values", as_list(ItemChange))


class Transfer(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    transaction_id = Field[str]("TransactionId")
    quantity = Field[int]("Quantity")
    stat_buffs = Field[list[int]]("StatBuffs")
    giver = Field[Party]("Giver", as_record(Party))
    receivers = Field[list[Party]]("Receivers", as_list(Party))


class TrailHolder(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    name = Field[str | None]("Name")
    quantity = Field[int]("Quantity")


class Trail(Record):
    __slots__ = ()
    is_exact = Field[bool]("IsExact")
    is_complete = Field[bool]("IsComplete")
    transfers = Field[list[Transfer]]("Transfers", as_list(Transfer))
    holders = Field[list[TrailHolder]]("Holders", as_list(TrailHolder))


class RestoredItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    place = Field[str]("Place")
    slot = Field[int]("Slot")
    from_place = Field[str]("FromPlace")
    from_slot = Field[int]("FromSlot")
    stat_buffs = Field[list[int]]("StatBuffs")


class HandedOn(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    stat_buffs = Field[list[int]]("StatBuffs")
    bag_id = Field[str | None]("BagId")
    quantity = Field[int]("Quantity")
    at = Field[datetime]("At", as_instant)
    transaction_id = Field[str]("TransactionId")
    to = Field[list[Party]]("To", as_list(Party))


class RestoreResult(Record):
    __slots__ = ()
    action_id = Field[str | None]("ActionId")
    at = Field[datetime]("At", as_instant)
    dry_run = Field[bool]("DryRun")
    entries = Field[list[RestoredItem]]("Values", as_list(RestoredItem))
    handed_on = Field[list[HandedOn]]("HandedOn", as_list(HandedOn))


class GameInfo(Record):
    __slots__ = ()
    name = Field[str]("name")
    port = Field[int]("port")


class Authorized(Record):
    __slots__ = ()
    authorized = Field[bool]("authorized")


class GameStats(Record):
    __slots__ = ()
    uptime = Field[int]("uptime")
    cps = Field[int]("cps")
    connected_clients = Field[int]("connectedClients")
    online_count = Field[int]("onlineCount")


class PlayerLimits(Record):
    __slots__ = ()
    max_characters = Field[int]("MaxCharacters")
    max_inventory = Field[int]("MaxInventory")
    max_bank = Field[int]("MaxBank")
    initial_bankslots = Field[int]("InitialBankslots")
    max_level = Field[int]("MaxLevel")
    max_spells = Field[int]("MaxSpells")
    max_stat = Field[int]("MaxStat")


class GameConfig(Record):
    __slots__ = ()
    game_name = Field[str]("GameName")
    server_port = Field[int]("ServerPort")
    player = Field[PlayerLimits]("Player", as_record(PlayerLimits))


class AuditLogEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    kind = Field[str]("Kind")
    actor = Field[str]("Actor")
    actor_name = Field[str]("ActorName")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    item_id = Field[str | None]("ItemId")
    before = Field[Any]("Before")
    after = Field[Any]("After")
    reason = Field[str | None]("Reason")
    request_id = Field[str]("RequestId")
    address = Field[str | None]("Address")
    undoes = Field[str | None]("Undoes")
    undone_by = Field[str | None]("UndoneBy")
    item_name = Field[str | None]("ItemName", needed=False)
    player_name = Field[str | None]("PlayerName", needed=False)
    user_name = Field[str | None]("UserName", needed=False)


class UndoChange(Record):
    __slots__ = ()
    what = Field[str]("What")
    id = Field[str | None]("Id")
    name = Field[str | None]("Name")
    place = Field[str | None]("Place")
    slot = Field[int | None]("Slot")
    quantity = Field[int | None]("Quantity")
    before = Field[bool | int | float | str | None]("Before")
    after = Field[bool | int | float | str | None]("After")


class UndoBlocker(Record):
    __slots__ = ()
    reason = Field[str]("Reason")
    what = Field[str]("What")
    id = Field[str | None]("Id")
    name = Field[str | None]("Name")
    place = Field[str | None]("Place")
    wanted = Field[int | None]("Wanted")
    possible = Field[int | None]("Possible")
    expected = Field[bool | int | float | str | None]("Expected")
    found = Field[bool | int | float | str | None]("Found")


class UndoResult(Record):
    __slots__ = ()
    id = Field[str | None]("Id")
    undoes = Field[str]("Undoes")
    kind = Field[str]("Kind")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    dry_run = Field[bool]("DryRun")
    complete = Field[bool]("Complete")
    done = Field[list[UndoChange]]("Done", as_list(UndoChange))
    not_done = Field[list[UndoBlocker]]("NotDone", as_list(UndoBlocker))


class UndoCounts(Record):
    __slots__ = ()
    kind = Field[str]("Kind")
    found = Field[int]("Found")
    undone = Field[int]("Undone")
    partly = Field[int]("Partly")
    already_undone = Field[int]("AlreadyUndone")
    covered = Field[int]("Covered")
    left = Field[int]("Left")


class UndoFailure(Record):
    __slots__ = ()
    id = Field[str]("Id")
    kind = Field[str]("Kind")
    code = Field[str]("Code")
    message = Field[str]("Message")
    in_the_way = Field[list[UndoBlocker]]("InTheWay", as_list(UndoBlocker))


class BulkUndoResult(Record):
    __slots__ = ()
    actor = Field[str]("Actor")
    dry_run = Field[bool]("DryRun")
    kinds = Field[list[UndoCounts]]("Kinds", as_list(UndoCounts))
    left = Field[list[UndoFailure]]("Left", as_list(UndoFailure))
    next = Field[str | None]("Next")


class ItemSupply(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    total = Field[int]("Total")
    inventories = Field[int]("Inventories")
    banks = Field[int]("Banks")
    bags = Field[int]("Bags")


class Flow(Record):
    __slots__ = ()
    day = Field[date]("Day", as_day)
    source = Field[str]("Source")
    came = Field[int]("Came")
    went = Field[int]("Went")


class Holder(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    name = Field[str | None]("Name")
    quantity = Field[int]("Quantity")


class ItemEconomy(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    total = Field[int]("Total")
    inventories = Field[int]("Inventories")
    banks = Field[int]("Banks")
    bags = Field[int]("Bags")
    flows = Field[list[Flow]]("Flows", as_list(Flow))
    holders = Field[list[Holder]]("Holders", as_list(Holder))


class ItemEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    type = Field[str]("Type")
    stackable = Field[bool]("Stackable")
    inventory_stack = Field[int]("InventoryStack")
    bank_stack = Field[int]("BankStack")
    bag_slots = Field[int]("BagSlots")
    bankable = Field[bool]("Bankable")


class SpellEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    bound = Field[bool]("Bound")


class VariableEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    type = Field[str]("Type")
    default = Field[bool | int | float | str]("Default")


class ClassEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    base_vitals = Field[list[int]]("BaseVitals")
    vital_increases = Field[list[int]]("VitalIncreases")
    base_stats = Field[list[int]]("BaseStats")
    base_exp = Field[int]("BaseExp")
    exp_increase = Field[int]("ExpIncrease")
    max_level = Field[int]("MaxLevel")


class Server(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    alive = Field[bool]("Alive")
    online = Field[int]("Online")
    registered_at = Field[datetime]("RegisteredAt", as_instant)
    lease_until = Field[datetime | None]("LeaseUntil", as_instant)


class Lease(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    fence = Field[int]("Fence")
    lease_until = Field[datetime]("LeaseUntil", as_instant)
    lease_seconds = Field[int]("LeaseSeconds")
    heartbeat_seconds = Field[int]("HeartbeatSeconds")


class JoinedPlayer(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    seq = Field[int]("Seq")
    moved_from = Field[str | None]("MovedFrom")


class JoinResult(Record):
    __slots__ = ()
    entries = Field[list[JoinedPlayer]]("Values", as_list(JoinedPlayer))
    unknown = Field[list[str]]("Unknown")


class PresenceResult(Record):
    __slots__ = ()
    changed = Field[int]("Changed")
    not_here = Field[list[str]]("NotHere")


class StoppedServer(Record):
    __slots__ = ()
    id = Field[str]("Id")
    fence = Field[int]("Fence")


class OnlineSample(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    average = Field[float]("Average")
    lowest = Field[int]("Lowest")
    highest = Field[int]("Highest")


class OnlineHistory(Record):
    __slots__ = ()
    span = Field[str]("Span")
    entries = Field[list[OnlineSample]]("Values", as_list(OnlineSample))


class LedgerPosition(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    seq = Field[int]("Seq")


class CommittedTransaction(Record):
    __slots__ = ()
    id = Field[str]("Id")
    players = Field[list[LedgerPosition]]("Players", as_list(LedgerPosition))


class Failure(Record):
    __slots__ = ()
    message = Field[str]("Message")
    code = Field[str]("Code")
    request_id = Field[str]("RequestId")
    details = Field[dict[str, Any] | None]("Details", needed=False)


class TransactionOutcome(Record):
    __slots__ = ()
    key = Field[str]("Key")
    status = Field[int]("Status")
    replayed = Field[bool]("Replayed")
    done = Field[CommittedTransaction | None]("Done", as_record(CommittedTransaction))
    failure = Field[Failure | None]("Failure", as_record(Failure))


class TransactionOutcomes(Record):
    __slots__ = ()
    entries = Field[list[TransactionOutcome]]("Values", as_list(TransactionOutcome))


class TransactionRecord(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    actor = Field[str]("Actor")
    actor_name = Field[str]("ActorName")
    reason = Field[str | None]("Reason")
    players = Field[list[Party]]("Players", as_list(Party))
    is_undone = Field[bool]("IsUndone")
    actions = Field[list[TimelineEntry]]("Actions", as_list(TimelineEntry))


class UndoneAction(Record):
    __slots__ = ()
    id = Field[str | None]("Id")
    undoes = Field[str]("Undoes")
    kind = Field[str]("Kind")
    player_id = Field[str | None]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    done = Field[list[UndoChange]]("Done", as_list(UndoChange))


class UndoneTransaction(Record):
    __slots__ = ()
    id = Field[str | None]("Id")
    undoes = Field[str]("Undoes")
    dry_run = Field[bool]("DryRun")
    players = Field[list[Party]]("Players", as_list(Party))
    actions = Field[list[UndoneAction]]("Actions", as_list(UndoneAction))


class EventEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    kind = Field[str]("Kind")
    actor = Field[str]("Actor")
    actor_name = Field[str]("ActorName")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    item_id = Field[str | None]("ItemId")
    before = Field[Any]("Before")
    after = Field[Any]("After")
    reason = Field[str | None]("Reason")
    request_id = Field[str]("RequestId")
    address = Field[str | None]("Address")
    undoes = Field[str | None]("Undoes")
    undone_by = Field[str | None]("UndoneBy")
    item_name = Field[str | None]("ItemName", needed=False)
    player_name = Field[str | None]("PlayerName", needed=False)
    user_name = Field[str | None]("UserName", needed=False)
    seq = Field[int]("Seq")


class EventEntries(Record):
    __slots__ = ()
    entries = Field[list[EventEntry]]("Values", as_list(EventEntry))
    next = Field[int]("Next")


class WebhookWithSecret(Record):
    __slots__ = ()
    id = Field[str]("Id")
    url = Field[str]("Url")
    kinds = Field[list[str] | None]("Kinds")
    enabled = Field[bool]("Enabled")
    off_reason = Field[str | None]("OffReason")
    failing_since = Field[datetime | None]("FailingSince", as_instant)
    retry_at = Field[datetime | None]("RetryAt", as_instant)
    old_secret_until = Field[datetime | None]("OldSecretUntil", as_instant)
    created_at = Field[datetime]("CreatedAt", as_instant)
    owner = Field[str | None]("Owner")
    owner_name = Field[str | None]("OwnerName")
    secret = Field[str | None]("Secret")


class Webhook(Record):
    __slots__ = ()
    id = Field[str]("Id")
    url = Field[str]("Url")
    kinds = Field[list[str] | None]("Kinds")
    enabled = Field[bool]("Enabled")
    off_reason = Field[str | None]("OffReason")
    failing_since = Field[datetime | None]("FailingSince", as_instant)
    retry_at = Field[datetime | None]("RetryAt", as_instant)
    old_secret_until = Field[datetime | None]("OldSecretUntil", as_instant)
    created_at = Field[datetime]("CreatedAt", as_instant)
    owner = Field[str | None]("Owner")
    owner_name = Field[str | None]("OwnerName")


class Webhooks(Record):
    __slots__ = ()
    entries = Field[list[Webhook]]("Values", as_list(Webhook))


class Delivery(Record):
    __slots__ = ()
    id = Field[str]("Id")
    message_id = Field[str]("MessageId")
    seq = Field[int | None]("Seq")
    kind = Field[str]("Kind")
    state = Field[str]("State")
    attempts = Field[int]("Attempts")
    tried_at = Field[datetime | None]("TriedAt", as_instant)
    status = Field[int | None]("Status")
    answer = Field[str | None]("Answer")
    fault = Field[str | None]("Fault")


class ReplayResult(Record):
    __slots__ = ()
    count = Field[int]("Count")
    complete = Field[bool]("Complete")


class DeliveryDetail(Record):
    __slots__ = ()
    id = Field[str]("Id")
    message_id = Field[str]("MessageId")
    seq = Field[int | None]("Seq")
    kind = Field[str]("Kind")
    state = Field[str]("State")
    attempts = Field[int]("Attempts")
    tried_at = Field[datetime | None]("TriedAt", as_instant)
    status = Field[int | None]("Status")
    answer = Field[str | None]("Answer")
    fault = Field[str | None]("Fault")
    payload = Field[Any]("Payload")


class TokenAnswer(Record):
    __slots__ = ()
    access_token = Field[str]("access_token")
    token_type = Field[str]("token_type")
    expires_in = Field[int]("expires_in")
    refresh_token = Field[str]("refresh_token")
    issued = Field[datetime](".issued", as_http_date)
    expires = Field[datetime](".expires", as_http_date)
    token_id = Field[str]("token_id")


class TokenRevocation(Record):
    __slots__ = ()


class EndedTokens(Record):
    __slots__ = ()
    username = Field[str]("Username")
    ended = Field[int]("Ended")


class EndedToken(Record):
    __slots__ = ()
    username = Field[str]("Username")
    token_id = Field[str]("TokenId")


class EndedSignIns(Record):
    __slots__ = ()
    username = Field[str]("username")


class EndedSignIn(Record):
    __slots__ = ()
    username = Field[str]("username")
    token_id = Field[str]("tokenId")


class Health(Record):
    __slots__ = ()
    status = Field[str]("status")


class Readiness(Record):
    __slots__ = ()
    status = Field[str]("status")
    replica = Field[str]("replica")
