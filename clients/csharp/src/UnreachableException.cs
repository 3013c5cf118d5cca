using System;

namespace Gamekeeper
{
    /// <summary>No answer. It may have been done: send it again under the same key.</summary>
    public sealed class UnreachableException : GamekeeperException
    {
        internal UnreachableException(string message, Exception inner) : base(message, inner) { }
    }
}
