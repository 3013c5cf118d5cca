using System;

namespace Gamekeeper
{
    /// <summary>Items from one place to another. Without From they are created, without To removed.</summary>
    public sealed class ItemsMove
    {
        /// <summary>The item; may be missing if FromSlot says which.</summary>
        public Guid? ItemId { get; set; }

        /// <summary>How many; may be missing with FromSlot: then the whole stack.</summary>
        public int? Quantity { get; set; }

        /// <summary>The character that loses them.</summary>
        public Guid? From { get; set; }

        /// <summary>inventory, bank or bag.</summary>
        public string FromPlace { get; set; }

        /// <summary>The bag, if they come from one.</summary>
        public Guid? FromBag { get; set; }

        /// <summary>The slot.</summary>
        public int? FromSlot { get; set; }

        /// <summary>The character that gets them.</summary>
        public Guid? To { get; set; }

        /// <summary>inventory, bank or bag.</summary>
        public string ToPlace { get; set; }

        /// <summary>The bag, if they go into one.</summary>
        public Guid? ToBag { get; set; }

        /// <summary>The slot.</summary>
        public int? ToSlot { get; set; }

        /// <summary>What the inventory cannot hold goes into the bank.</summary>
        public bool BankOverflow { get; set; }

        /// <summary>New items: mailbox sends all of them in a letter.</summary>
        public string Deliver { get; set; }

        /// <summary>New items: mailbox sends those without room in a letter.</summary>
        public string Overflow { get; set; }

        /// <summary>Five numbers.</summary>
        public int[] StatBuffs { get; set; }

        internal JsonObject Write()
        {
            var move = new JsonObject().Set("do", "items")
                .SetIfAny("itemid", ItemId).SetIfAny("quantity", Quantity)
                .SetIfAny("from", From).SetIfAny("fromplace", FromPlace)
                .SetIfAny("frombag", FromBag).SetIfAny("fromslot", FromSlot)
                .SetIfAny("to", To).SetIfAny("toplace", ToPlace)
                .SetIfAny("tobag", ToBag).SetIfAny("toslot", ToSlot)
                .SetIfAny("statbuffs", StatBuffs)
                .SetIfAny("deliver", Deliver).SetIfAny("overflow", Overflow);
            return BankOverflow ? move.Set("bankoverflow", true) : move;
        }
    }
}
