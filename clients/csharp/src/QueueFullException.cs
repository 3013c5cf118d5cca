namespace Gamekeeper
{
    /// <summary>Too many transactions wait for an outcome: the service is away, or too slow.</summary>
    public sealed class QueueFullException : GamekeeperException
    {
        internal QueueFullException(int most, string what = "transactions wait for an outcome")
            : base(most + " " + what + " already.") { }
    }
}
