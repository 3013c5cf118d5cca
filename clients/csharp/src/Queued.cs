using System;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>A transaction that waits for its outcome.</summary>
    internal sealed class Queued
    {
        public Queued(Transaction transaction) { Transaction = transaction; }

        public Transaction Transaction { get; }

        public TaskCompletionSource<bool> Written { get; } =
            new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>Until then it waits for its characters to join again; null: it does not wait.</summary>
        public TimeSpan? HeldUntil { get; set; }
    }
}
