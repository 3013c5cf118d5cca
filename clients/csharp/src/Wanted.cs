using System;
using System.Collections.Generic;

namespace Gamekeeper
{
    /// <summary>Who is in the game, and whose bank window is open. Never changed, only replaced.</summary>
    internal sealed class Wanted
    {
        public Wanted() : this(new HashSet<Guid>(), new HashSet<Guid>(), new HashSet<Guid>()) { }

        public Wanted(HashSet<Guid> online, HashSet<Guid> inBank, HashSet<Guid> came)
        {
            Online = online;
            InBank = inBank;
            Came = came;
        }

        public HashSet<Guid> Online { get; }

        public HashSet<Guid> InBank { get; }

        /// <summary>Everybody who was here since the last round, also for a moment: they did something.</summary>
        public HashSet<Guid> Came { get; }

        /// <summary>The newer state, with all who came before and since.</summary>
        public Wanted Then(Wanted newer)
        {
            return new Wanted(newer.Online, newer.InBank, Both(Came, newer.Came));
        }

        /// <summary>The newer state, but nobody has left.</summary>
        public Wanted With(Wanted newer)
        {
            return new Wanted(Both(Online, newer.Online), newer.InBank, Both(Came, newer.Came));
        }

        private static HashSet<Guid> Both(HashSet<Guid> some, HashSet<Guid> more)
        {
            var both = new HashSet<Guid>(some);
            both.UnionWith(more);
            return both;
        }
    }
}
