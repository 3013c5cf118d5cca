using System;
using System.Collections.Generic;
using System.Linq;

namespace Gamekeeper
{
    /// <summary>The letter that a redeem code gave.</summary>
    public sealed class RedeemedCode
    {
        internal RedeemedCode(JsonObject said)
        {
            Campaign = said.Text("Campaign") ?? "";
            PlayerId = said.Id("PlayerId") ?? Guid.Empty;
            LetterId = said.Id("LetterId") ?? Guid.Empty;
            Subject = said.Text("Subject") ?? "";
            Items = said.Objects("Items").Select(item => new LetterItem(item)).ToList();
        }

        /// <summary>The campaign of the code; an account redeems one code of each.</summary>
        public string Campaign { get; }

        /// <summary>The character that received the letter.</summary>
        public Guid PlayerId { get; }

        /// <summary>The letter in its mailbox, for Transaction.Claim.</summary>
        public Guid LetterId { get; }

        /// <summary>The subject of the letter.</summary>
        public string Subject { get; }

        /// <summary>The items in the letter.</summary>
        public IReadOnlyList<LetterItem> Items { get; }
    }
}
