using System;
using System.Threading;

namespace Gamekeeper
{
    /// <summary>One registration: its number, and until when this process may act.</summary>
    internal sealed class Lease
    {
        private readonly CancellationTokenSource _lost = new CancellationTokenSource();
        private long _ends;

        public Lease(JsonObject said, TimeSpan asked)
        {
            ServerId = said.Id("Id") ?? throw new FormatException("The lease has no id.");
            Fence = said.Number("Fence") ?? throw new FormatException("The lease has no fence.");
            Heartbeat = TimeSpan.FromSeconds(Math.Max(0.1, said.Fraction("HeartbeatSeconds") ?? 10));
            Renew(said, asked);
        }

        public Guid ServerId { get; }

        public long Fence { get; }

        public TimeSpan Heartbeat { get; }

        public TimeSpan Ends { get { return TimeSpan.FromTicks(Interlocked.Read(ref _ends)); } }

        public bool IsAlive { get { return !_lost.IsCancellationRequested && Clock.Now < Ends; } }

        /// <summary>Cancelled as soon as this process knows that it lost the lease.</summary>
        public CancellationToken Lost { get { return _lost.Token; } }

        /// <summary>Counted from before the request: so it never seems to end later than it does.</summary>
        public void Renew(JsonObject said, TimeSpan asked)
        {
            var seconds = said.Fraction("LeaseSeconds") ?? 30;
            Interlocked.Exchange(ref _ends, (asked + TimeSpan.FromSeconds(seconds)).Ticks);
        }

        public void Lose() { _lost.Cancel(); }

        /// <summary>A path below this server.</summary>
        public string Path(string rest) { return "/api/v1/servers/" + ServerId.ToString("D") + rest; }

        public JsonObject Body() { return new JsonObject().Set("fence", Fence); }
    }
}
