namespace Gamekeeper
{
    /// <summary>Events are missing, or a backup was restored: read the characters again.</summary>
    public sealed class EventsMissed : Notice
    {
        internal EventsMissed(string code, long next)
        {
            Code = code;
            Next = next;
        }

        /// <summary>events_expired, or events_unknown if a backup was restored.</summary>
        public string Code { get; }

        /// <summary>The events go on after this one.</summary>
        public long Next { get; }
    }
}
