using System;

namespace Gamekeeper
{
    /// <summary>Too many requests; RetryAfter says how long to wait.</summary>
    public sealed class RateLimitedException : RefusalException
    {
        internal RateLimitedException(int status, JsonObject said, string requestId, TimeSpan? retryAfter)
            : base(status, said, requestId, retryAfter) { }
    }
}
