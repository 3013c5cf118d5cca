using System;

namespace Gamekeeper
{
    /// <summary>Any failure of a call.</summary>
    public class GamekeeperException : Exception
    {
        /// <summary>A failure in words.</summary>
        public GamekeeperException(string message, Exception inner = null) : base(message, inner) { }
    }
}
