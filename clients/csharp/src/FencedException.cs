using System;

namespace Gamekeeper
{
    /// <summary>Another process is this game server now, its lease has ended, or a character is elsewhere.</summary>
    public sealed class FencedException : RefusalException
    {
        internal FencedException(int status, JsonObject said, string requestId, TimeSpan? retryAfter)
            : base(status, said, requestId, retryAfter) { }
    }
}
