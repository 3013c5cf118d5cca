namespace Gamekeeper
{
    /// <summary>A character may not be here: it is banned, unknown, or its account must verify its email address. The game disconnects it.</summary>
    public sealed class JoinRefused : Notice
    {
        internal JoinRefused(System.Guid player, string code, string message)
        {
            PlayerId = player;
            Code = code;
            Message = message;
        }

        /// <summary>The character.</summary>
        public System.Guid PlayerId { get; }

        /// <summary>unknown, email_not_verified, or the code of the ban.</summary>
        public string Code { get; }

        /// <summary>Words for the player.</summary>
        public string Message { get; }
    }
}
