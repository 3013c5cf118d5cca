using System;

namespace Gamekeeper
{
    /// <summary>A stack of items in a letter.</summary>
    public sealed class LetterItem
    {
        internal LetterItem(JsonObject said)
        {
            ItemId = said.Id("ItemId") ?? Guid.Empty;
            Quantity = said.Number("Quantity") ?? 0;
        }

        /// <summary>The item.</summary>
        public Guid ItemId { get; }

        /// <summary>How many.</summary>
        public long Quantity { get; }
    }
}
