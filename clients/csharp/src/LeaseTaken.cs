using System;

namespace Gamekeeper
{
    /// <summary>This process is the game server now; those who are online join by themselves.</summary>
    public sealed class LeaseTaken : Notice
    {
        internal LeaseTaken(Lease lease)
        {
            ServerId = lease.ServerId;
            Fence = lease.Fence;
        }

        /// <summary>The id of the game server; the same after a restart.</summary>
        public Guid ServerId { get; }

        /// <summary>The fencing number of this lease.</summary>
        public long Fence { get; }
    }
}
