using System;
using System.Linq;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Registers, sends heartbeats, and registers again if the lease has ended.</summary>
    internal sealed class LeaseKeeper
    {
        private static readonly TimeSpan Registering = TimeSpan.FromSeconds(60);
        private readonly Connection _connection;
        private readonly GameServerOptions _options;
        private readonly NoticeQueue _notices;
        private readonly Func<Lease, CancellationToken, Task> _prepare;
        private readonly Signal _again = new Signal();
        private readonly object _gate = new object();
        private TaskCompletionSource<Lease> _next = Promise();
        private volatile Lease _current;
        private RefusalException _fenced;

        public LeaseKeeper(Connection connection, GameServerOptions options, NoticeQueue notices,
            Func<Lease, CancellationToken, Task> prepare)
        {
            _connection = connection;
            _options = options;
            _notices = notices;
            _prepare = prepare;
        }

        /// <summary>The lease, if this process may act now.</summary>
        public Lease Current
        {
            get
            {
                var current = _current;
                return current != null && current.IsAlive ? current : null;
            }
        }

        public void TakeOver() { _again.Set(); }

        /// <summary>Waits until this process is the game server.</summary>
        public async Task<Lease> Held(CancellationToken cancel)
        {
            while (true)
            {
                Task<Lease> next;
                lock (_gate) next = _next.Task;
                var lease = await Patience.Within(next, Timeout.InfiniteTimeSpan, cancel).ConfigureAwait(false);
                if (lease.IsAlive) return lease;
                await Task.Delay(50, cancel).ConfigureAwait(false);
            }
        }

        /// <summary>Some call was told that this lease is not valid any longer.</summary>
        public void Refused(Lease lease, RefusalException why)
        {
            // A character elsewhere is named in Details; then the server itself is not fenced.
            var isLost = why.Code == "server_not_found" || (why.Code == "fenced" && why.Details.Count == 0);
            if (!isLost) return;
            Interlocked.CompareExchange(ref _fenced, why, null);
            lease.Lose();
        }

        public async Task Run(CancellationToken cancel)
        {
            var key = Guid.NewGuid().ToString("D");
            TimeSpan? asked = null;
            var backoff = new Backoff(15);
            while (true)
            {
                try
                {
                    asked = asked ?? Clock.Now;
                    var lease = await Register(key, asked.Value, cancel).ConfigureAwait(false);
                    await _prepare(lease, cancel).ConfigureAwait(false);
                    backoff.Reset();
                    await Hold(lease, cancel).ConfigureAwait(false);
                }
                catch (GamekeeperException fault)
                {
                    _notices.Tell("register", fault);
                    await backoff.Pause(fault, cancel).ConfigureAwait(false);
                    // One request under one key until it is answered: a late one must not replace us.
                    if (!(fault is RefusalException refusal) || refusal.IsPassing) continue;
                }
                key = Guid.NewGuid().ToString("D");
                asked = null;
            }
        }

        private async Task<Lease> Register(string key, TimeSpan asked, CancellationToken cancel)
        {
            var body = new JsonObject().Set("name", _options.Name);
            var said = await _connection.Post("/api/v1/servers", body, Registering, cancel, key)
                .ConfigureAwait(false);
            return new Lease(said, asked);
        }

        private async Task Hold(Lease lease, CancellationToken cancel)
        {
            if (lease.IsAlive)
            {
                _fenced = null;
                _current = lease;
                _notices.Add(new LeaseTaken(lease));
                lock (_gate) _next.TrySetResult(lease);
                await Beat(lease, cancel).ConfigureAwait(false);
                lock (_gate) _next = Promise();
                lease.Lose();
                var replaced = _fenced != null && await IsReplaced(lease, cancel).ConfigureAwait(false);
                _notices.Add(new LeaseLost(replaced, _fenced?.Message ?? "The lease could not be renewed."));
                if (replaced) await _again.Wait(Timeout.InfiniteTimeSpan, cancel).ConfigureAwait(false);
            }
        }

        /// <summary>Heartbeats until the lease is lost.</summary>
        private async Task Beat(Lease lease, CancellationToken cancel)
        {
            // At once if the answer came late: part of the lease is gone already.
            var pause = lease.Ends - Clock.Now < lease.Heartbeat ? TimeSpan.Zero : lease.Heartbeat;
            while (await Sleep(lease, pause, cancel).ConfigureAwait(false))
            {
                var asked = Clock.Now;
                var left = lease.Ends - asked;
                try
                {
                    var most = left < _options.Timeout ? left : _options.Timeout;
                    var said = await _connection.Post(lease.Path("/heartbeat"), lease.Body(), most, cancel)
                        .ConfigureAwait(false);
                    lease.Renew(said, asked);
                    pause = lease.Heartbeat;
                }
                catch (GamekeeperException fault)
                {
                    if (fault is RefusalException refusal) Refused(lease, refusal);
                    _notices.Tell("heartbeat", fault);
                    pause = TimeSpan.FromTicks(Math.Min(lease.Heartbeat.Ticks, TimeSpan.TicksPerSecond));
                }
            }
        }

        /// <summary>Whether the lease is still alive after the pause.</summary>
        private static async Task<bool> Sleep(Lease lease, TimeSpan pause, CancellationToken cancel)
        {
            using (var either = CancellationTokenSource.CreateLinkedTokenSource(cancel, lease.Lost))
            {
                var left = lease.Ends - Clock.Now;
                if (left < pause) pause = left > TimeSpan.Zero ? left : TimeSpan.Zero;
                await Task.WhenAny(Task.Delay(pause, either.Token)).ConfigureAwait(false);
            }
            cancel.ThrowIfCancellationRequested();
            return lease.IsAlive;
        }

        /// <summary>
        /// Whether the server is alive in other hands. If nobody holds it, the lease has only ended, as
        /// when this process was frozen for a while.
        /// </summary>
        private async Task<bool> IsReplaced(Lease lease, CancellationToken cancel)
        {
            var backoff = new Backoff(5);
            for (var page = 0; ; )
            {
                try
                {
                    var path = "/api/v1/servers?pageSize=100&page=" + page;
                    var said = await _connection.Send(HttpMethod.Get, path, null, _options.Timeout, cancel)
                        .ConfigureAwait(false);
                    var found = said.Objects("Values").FirstOrDefault(one => one.Id("Id") == lease.ServerId);
                    if (found != null) return found.Flag("Alive");
                    if (!said.Objects("Values").Any()) return false;
                    page++;
                }
                catch (RefusalException refusal) when (!refusal.IsPassing)
                {
                    // It may not look; the refusal of a lease that was not over says enough.
                    return true;
                }
                catch (GamekeeperException fault)
                {
                    await backoff.Pause(fault, cancel).ConfigureAwait(false);
                }
            }
        }

        private static TaskCompletionSource<Lease> Promise()
        {
            return new TaskCompletionSource<Lease>(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }
}
