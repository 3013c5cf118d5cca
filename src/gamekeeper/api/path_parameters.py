"""
The parameters in paths: what each means, and an example, for the OpenAPI document.

A handler takes one by its type: `key: PlayerKey` is a `str` for Python and for the HTTP layer.
"""

from typing import Annotated
from uuid import UUID

from gamekeeper.api import example_world as world
from gamekeeper.http.openapi import PathParameter as About

# ── Names, or names and ids ──

PlayerKey = Annotated[
    str, About("A character's name, in any letter case, or its id.", world.PLAYER)
]
OnlinePlayerKey = Annotated[
    str,
    About("The name of a character that is online, in any letter case, or its id.", world.LISTENER),
]
OwnedPlayerKey = Annotated[
    str,
    About(
        "A character's name, id, or index among the account's characters: from 0, oldest first.",
        world.PLAYER,
    ),
]
UserKey = Annotated[str, About("A username, in any letter case, or a user id.", world.USER)]
SignInKey = Annotated[
    str, About("The `token_id` of the sign-in, or its refresh token.", world.SIGN_IN)
]
ShopName = Annotated[
    str, About("The shop's name: `tebex`, `stripe` or one of your own.", world.SHOP)
]
ShopOrderId = Annotated[str, About("The shop's own id of the order.", world.SHOP_ORDER)]
ProductId = Annotated[str, About("The shop's own id of the product.", world.PRODUCT)]
RoleName = Annotated[str, About("The role's name.", world.ROLE)]
GrantedRoleName = Annotated[str, About("The role's name.", "support")]
SanctionKey = Annotated[
    str, About("The sanction's id, or the code that the player quotes.", world.SANCTION_CODE)
]
AccessBanKey = Annotated[
    str, About("The access ban's id, or the code that the player quotes.", world.SANCTION_CODE)
]
RuleName = Annotated[str, About("The rule's name.", "potions-per-hour")]
SegmentName = Annotated[str, About("The segment's name.", world.SEGMENT)]
SegmentListName = Annotated[str, About("The list's name.", world.SEGMENT_LIST)]
TemplateName = Annotated[str, About("The template's name.", "spam")]
ActionName = Annotated[
    str, About("`ban`, `unban`, `mute` or `unmute`, in any letter case.", "unmute")
]
MapKey = Annotated[str, About("The map's id.", world.MAP)]
ObjectType = Annotated[
    str,
    About(
        "`animation`, `class`, `crafts`, `crafttables`, `event`, `guildvariable`, `item`, `map`, "
        "`npc`, `playervariable`, `projectile`, `quest`, `resource`, `servervariable`, `shop`, "
        "`spell`, `tileset` or `uservariable`, in any letter case.",
        "item",
    ),
]

# ── Ids ──

ActionId = Annotated[UUID, About("The action's id.", world.GIFT)]
AppealId = Annotated[UUID, About("The appeal's id, from the queue.", world.APPEAL)]
ApprovalId = Annotated[UUID, About("The id of the request for approval.", world.APPROVAL)]
BagId = Annotated[UUID, About("The bag's id, from the `BagId` of an inventory slot.", world.BAG)]
CampaignId = Annotated[UUID, About("The campaign's id.", world.CAMPAIGN)]
ScheduleId = Annotated[UUID, About("The schedule's id.", world.SCHEDULE)]
CaseId = Annotated[UUID, About("The case's id, from the queue.", world.CASE)]
ClassId = Annotated[UUID, About("The class's id.", world.WARRIOR)]
CodeBatchId = Annotated[UUID, About("The id of the batch of codes.", world.CODE_BATCH)]
CommandId = Annotated[UUID, About("The command's id.", world.COMMAND)]
DeliveryId = Annotated[UUID, About("The delivery's id.", world.DELIVERY)]
FactorId = Annotated[UUID, About("The second factor's id.", world.FACTOR)]
FilterId = Annotated[UUID, About("The saved filter's id.", world.FILTER)]
GameVariableId = Annotated[UUID, About("The id of a variable of the game.", world.SEASON)]
LetterId = Annotated[UUID, About("The letter's id, from the mailbox.", world.LETTER)]
GuildId = Annotated[UUID, About("The guild's id.", world.GUILD)]
GuildVariableId = Annotated[UUID, About("The variable's id.", world.PRESTIGE)]
FindingId = Annotated[UUID, About("The finding's id.", world.FINDING)]
IdentityId = Annotated[UUID, About("The identity's id, from the list.", world.IDENTITY)]
InvitationId = Annotated[UUID, About("The invitation's id.", world.INVITATION)]
ItemId = Annotated[UUID, About("The item's id.", world.POTION)]
KeyId = Annotated[UUID, About("The key's id.", world.API_KEY)]
ObjectId = Annotated[UUID, About("The object's id.", world.POTION)]
OpenIdClientId = Annotated[str, About("The client's id (`client_id`).", world.OPENID_CLIENT)]
ServerId = Annotated[UUID, About("The server's id, from its registration.", world.SERVER)]
SessionId = Annotated[UUID, About("The session's id.", world.SESSION)]
SpellId = Annotated[UUID, About("The spell's id.", world.FIREBALL)]
TokenId = Annotated[UUID, About("The `token_id` that came with the token.", world.SIGN_IN)]
TransactionId = Annotated[
    UUID,
    About(
        "The transaction's id: the `Id` of its outcome, or `transaction` in an action's `After`.",
        world.TRADE,
    ),
]
UserVariableId = Annotated[UUID, About("The id of an account variable.", world.VOTES)]
VariableId = Annotated[UUID, About("The variable's id.", world.SLAIN)]
WebhookId = Annotated[UUID, About("The webhook's id.", world.WEBHOOK)]
