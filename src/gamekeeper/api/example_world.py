"""
The names and ids that the API's examples speak of.

`gamekeeper try` creates a world that has them, so that the examples of the documentation can be
sent to it as they are.
"""

from uuid import UUID

# The account and its character.
USER = "ana"
EMAIL = "ana@example.com"
PASSWORD = "demo"  # noqa: S105
PLAYER = "Ana Lyra"
LEVEL = 12
BAG = UUID("e2b4d6f8-1a3c-4e5f-9b7d-0a2c4e6f8b03")
LISTENER = "Cyd Marsh"
"""A character that is online."""

# Of the demo's catalog, whose ids are the same everywhere.
POTION = UUID("957189e7-ca1b-4138-8d7a-fdbf695cbae1")
POUCH = UUID("5f800f68-4de9-4c62-bd7d-b35a66bcca8b")
FIREBALL = UUID("150ea0d3-8be1-4bcb-8e03-4a92de11ef9e")
SLAIN = UUID("65a6bb4b-be99-4518-beb7-9648f6c4ccb0")
WARRIOR = UUID("65e9bc31-e306-4bc0-b4df-ae770b3e3c45")
VOTES = UUID("5a0a4c9e-6f0d-4b5e-9d0c-0d6f7b1d8a31")
"""A variable of accounts."""
SEASON = UUID("b7c3f0de-21c5-4a43-8a3b-6a1c1f0a9f02")
"""A variable of the game."""
MAP = UUID("5d2f1a70-8b3c-4e96-9f04-7a1b2c3d4e5f")

LETTER = UUID("019cede2-8b20-7c63-9d15-3e6f8a0b2c47")
"""In the mailbox of the character."""

GUILD = UUID("7c1e5b20-94da-4f6b-8a37-2d0e6f8b9c11")
GUILD_NAME = "Larkspur Court"
PRESTIGE = UUID("9e2f4a61-5c3b-4d7e-b180-6a4c2e8f0d33")
"""A variable of guilds."""

# The first game server of the demo, whose lease never ends.
SERVER = UUID("1b63420f-6c31-4b98-b5bb-b5f9121d47ee")
FENCE = 0
COMMAND = UUID("019cede2-9c40-7d18-a3b5-5e7f90b2c4d6")

# The audit log.
GIFT = UUID("019cede2-6fc8-7a31-9c5e-2b7d9f1a3c08")
TRADE = UUID("019cede2-7a10-7b52-8e4f-6c8a0d2b4f11")
GIVEN = UUID("019cede2-7a10-7b52-8e4f-6c8a0d2b4f12")
"""The giver's action in that transaction."""
APPROVAL = UUID("019cede5-4f10-7a3b-9c21-5d7e9f1b3a55")

# Segments and their lists of names.
SEGMENT = "active-players"
SEGMENT_LIST = "tournament"
CAMPAIGN = UUID("019cee34-2f8a-7b17-9c40-6a1d8e5f3b92")
SCHEDULE = UUID("019cef51-8c30-7d42-a6b9-51f07e2c4d88")
CODE_BATCH = UUID("019cee35-6c1d-7d42-8f0b-4e2a9b7c5d18")
REDEEM_CODE = "SPRING-HFPF-BHQJ-WR8F-RE"

# Sanctions and appeals.
SANCTION = UUID("019cede4-9b7e-7c11-8d20-4e6a7f1c2b3d")
SANCTION_CODE = "7K3M-Q9XA"
APPEALABLE_CODE = "7H3K-9QXM"
APPEALED = UUID("019cedf0-1b7c-7d42-9c66-1c7e3a9f5d28")
APPEALED_CODE = "4T8W-2RZE"
IDENTITY = UUID("2f6c1f0e-0c1b-4f4b-8d43-5b6f0b7a9e21")
INVITATION = UUID("5b0e7a51-2f6d-4c3e-9a70-1d2c3b4a5968")
APPEAL = UUID("019cee10-4f2a-7c31-8a55-0b6d2f8e4c17")
APPEAL_ANSWER = "We have read the chat again. You are right, and we are sorry."
CASE = UUID("019cee20-6a1b-7d53-9b77-2c8e4f0a6d39")
REPORT = UUID("019cee20-6a1b-7d53-9b77-2c8e4f0a6d40")
SANCTION_MESSAGE = "Insulting other players."

# Orders of a shop.
SHOP = "webshop"
SHOP_ORDER = "1001"
PRODUCT = "potion-pack"
ORDER = UUID("019cee30-7b2c-7e64-8c88-3d9f50b7e4a1")
ORDER_LETTER = UUID("019cee30-7b2c-7e64-8c88-3d9f50b7e4a2")
CLAIM_CODE = "8QK2-7M4T-X9RD"

# Staff, credentials, webhooks.
ROLE = "game-master"
API_KEY = UUID("9d0c6b1e-4a57-4f0e-8a52-6f6b0e6c2d11")
FINDING = UUID("019ced9c-0a51-7c1e-b2d4-6f8a0c2e4b16")
SIGN_IN = UUID("6b8d0f2a-4c6e-4a8b-9d0f-2a4c6e8b0d07")
SESSION = UUID("5d2f0c8e-6b1a-4c7d-9e3f-8a4b5c6d7e8f")
FILTER = UUID("6c1f9b3e-4a2d-4f5b-8e71-0d3c5b7a9f21")
FACTOR = UUID("7e3a1d9f-7c2b-4d8e-8f40-9b5c6d7e8f90")
WEBHOOK = UUID("019cede4-2c33-7d55-9e70-5f9b1d3c6e0a")
WEBHOOK_URL = "https://hooks.example.com/gamekeeper"
OPENID_CLIENT = "019cedf85a4b7c1d8e2f3a4b5c6d7e8f"
DELIVERY = UUID("019cede5-3d44-7e66-8f81-60ac2e4d7f0b")
