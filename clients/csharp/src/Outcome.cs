namespace Gamekeeper
{
    /// <summary>What became of a transaction. Each has one outcome.</summary>
    public sealed class Outcome : Notice
    {
        internal Outcome(Transaction transaction, int status, bool replayed, JsonObject done, JsonObject failure)
        {
            Transaction = transaction;
            Status = status;
            Replayed = replayed;
            Done = done;
            Code = failure?.Text("Code");
            Message = failure?.Text("Message");
            RequestId = failure?.Text("RequestId");
            Details = failure?.Object("Details");
        }

        /// <summary>The transaction, as it was queued, perhaps by the process before.</summary>
        public Transaction Transaction { get; }

        /// <summary>Its key.</summary>
        public string Key { get { return Transaction.Key; } }

        /// <summary>The status that a call of its own would have had.</summary>
        public int Status { get; }

        /// <summary>It had been done before, and its answer was lost.</summary>
        public bool Replayed { get; }

        /// <summary>Whether it was done.</summary>
        public bool IsDone { get { return Status == 200; } }

        /// <summary>A character was not in the expected state: read it again.</summary>
        public bool IsStale { get { return Code == "stale"; } }

        /// <summary>A character is not on this server. Nothing was done or noted; it may be queued again.</summary>
        public bool IsFenced { get { return Code == "fenced"; } }

        /// <summary>It waits for somebody's approval.</summary>
        public bool NeedsApproval { get { return Code == "approval_required"; } }

        /// <summary>Why it was refused, for programs; null if it was done.</summary>
        public string Code { get; }

        /// <summary>Why it was refused, for people; null if it was done.</summary>
        public string Message { get; }

        /// <summary>The id of the request that was refused (X-Request-Id); null if it was done.</summary>
        public string RequestId { get; }

        /// <summary>More facts of a refusal, or null.</summary>
        public JsonObject Details { get; }

        /// <summary>What was done, or null.</summary>
        public JsonObject Done { get; }
    }
}
