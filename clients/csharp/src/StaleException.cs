using System;

namespace Gamekeeper
{
    /// <summary>A character is not in the state that was expected.</summary>
    public sealed class StaleException : RefusalException
    {
        internal StaleException(int status, JsonObject said, string requestId, TimeSpan? retryAfter)
            : base(status, said, requestId, retryAfter) { }
    }
}
