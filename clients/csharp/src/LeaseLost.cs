namespace Gamekeeper
{
    /// <summary>This process is not the game server any longer: it must stop acting.</summary>
    public sealed class LeaseLost : Notice
    {
        internal LeaseLost(bool isReplaced, string why)
        {
            IsReplaced = isReplaced;
            Why = why;
        }

        /// <summary>
        /// Another process is this game server now. Only GameServer.TakeOver registers again; if both
        /// did so by themselves, they would take it from each other for ever. If false, the lease ended
        /// because it could not be renewed, and this process registers again by itself.
        /// </summary>
        public bool IsReplaced { get; }

        /// <summary>Why, for people.</summary>
        public string Why { get; }
    }
}
