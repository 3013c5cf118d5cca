using System;

namespace Gamekeeper
{
    /// <summary>The service said no. Code is for programs and never changes; Message is for people.</summary>
    public class RefusalException : GamekeeperException
    {
        internal RefusalException(int status, JsonObject said, string requestId, TimeSpan? retryAfter)
            : base(said.Text("Message") ?? "The service answered " + status + ".")
        {
            Status = status;
            Code = said.Text("Code") ?? "";
            Details = said.Object("Details") ?? new JsonObject();
            RequestId = said.Text("RequestId") ?? requestId ?? "";
            RetryAfter = retryAfter;
        }

        /// <summary>The status of HTTP.</summary>
        public int Status { get; }

        /// <summary>Why, for programs; empty if a proxy answered.</summary>
        public string Code { get; }

        /// <summary>More facts, for some codes.</summary>
        public JsonObject Details { get; }

        /// <summary>What the operator finds in the log of the service (X-Request-Id).</summary>
        public string RequestId { get; }

        /// <summary>How long the service asks to wait.</summary>
        public TimeSpan? RetryAfter { get; }

        /// <summary>Whether the same request may be answered otherwise a little later.</summary>
        public bool IsPassing
        {
            get
            {
                return Status == 429 || Code == "still_running"
                    || (Code != "not_answered" && (Status == 502 || Status == 503 || Status == 504));
            }
        }

        internal static RefusalException Of(
            int status, JsonObject said, string requestId, TimeSpan? retryAfter)
        {
            switch (said.Text("Code"))
            {
                case "fenced": return new FencedException(status, said, requestId, retryAfter);
                case "stale": return new StaleException(status, said, requestId, retryAfter);
                default:
                    return status == 429
                        ? new RateLimitedException(status, said, requestId, retryAfter)
                        : new RefusalException(status, said, requestId, retryAfter);
            }
        }

        /// <summary>For a log: status, code, words and the id of the request.</summary>
        public override string ToString()
        {
            return Status + " " + Code + ": " + Message + " (request " + RequestId + ")";
        }
    }
}
