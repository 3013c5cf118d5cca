using System;
using System.Collections.Generic;
using System.Linq;

namespace Gamekeeper
{
    /// <summary>The service knows that a character is here. Read it now: later changes come as events.</summary>
    public sealed class PlayerJoined : Notice
    {
        internal PlayerJoined(JsonObject said)
        {
            PlayerId = said.Id("PlayerId") ?? Guid.Empty;
            Seq = said.Number("Seq") ?? 0;
            MovedFrom = said.Id("MovedFrom");
            Restrictions = said.Objects("Restrictions").Select(one => new Restriction(one)).ToList();
        }

        /// <summary>The character.</summary>
        public Guid PlayerId { get; }

        /// <summary>Its ledger sequence, for Transaction.Expect.</summary>
        public long Seq { get; }

        /// <summary>The game server that it was on, if it was on another.</summary>
        public Guid? MovedFrom { get; }

        /// <summary>Mutes and trade locks.</summary>
        public IReadOnlyList<Restriction> Restrictions { get; }
    }
}
