using System;
using System.Collections.Generic;
using System.Linq;

namespace Gamekeeper
{
    /// <summary>A letter in the mailbox of a character. Transaction.Claim moves its items.</summary>
    public sealed class Letter
    {
        internal Letter(JsonObject said)
        {
            Id = said.Id("Id") ?? Guid.Empty;
            State = said.Text("State") ?? "";
            Sender = said.Object("Sender")?.Text("Name");
            Subject = said.Text("Subject");
            Text = said.Text("Text");
            Items = said.Objects("Items").Select(item => new LetterItem(item)).ToList();
            SentAt = said.Text("SentAt") ?? "";
            ExpiresAt = said.Text("ExpiresAt") ?? "";
            IsRead = said.Text("ReadAt") != null;
        }

        /// <summary>The id of the letter.</summary>
        public Guid Id { get; }

        /// <summary>open or claimed.</summary>
        public string State { get; }

        /// <summary>Whether it holds items that can be claimed.</summary>
        public bool IsClaimable { get { return State == "open" && Items.Count > 0; } }

        /// <summary>The name of the sender; null if it has none.</summary>
        public string Sender { get; }

        /// <summary>The subject; null if the key lacks the scope chat.private.</summary>
        public string Subject { get; }

        /// <summary>The text; null if the key lacks the scope chat.private.</summary>
        public string Text { get; }

        /// <summary>The items that were sent.</summary>
        public IReadOnlyList<LetterItem> Items { get; }

        /// <summary>When it was sent, in ISO 8601.</summary>
        public string SentAt { get; }

        /// <summary>When it expires, in ISO 8601.</summary>
        public string ExpiresAt { get; }

        /// <summary>Whether it was read.</summary>
        public bool IsRead { get; }
    }
}
