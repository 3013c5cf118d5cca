using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Who is on the server, as the service knows it; tells it the differences.</summary>
    internal sealed class Presence
    {
        private const int Most = 1000;
        private readonly Connection _connection;
        private readonly GameServerOptions _options;
        private readonly NoticeQueue _notices;
        private readonly ClientTraces _clients;
        private readonly HashSet<Guid> _refused = new HashSet<Guid>();
        private readonly HashSet<Guid> _inBank = new HashSet<Guid>();
        private string _asked;
        private string _key;

        public Presence(Connection connection, GameServerOptions options, NoticeQueue notices, ClientTraces clients)
        {
            _connection = connection;
            _options = options;
            _notices = notices;
            _clients = clients;
        }

        public HashSet<Guid> Joined { get; } = new HashSet<Guid>();

        /// <summary>A new lease: nobody is on it.</summary>
        public void Clear()
        {
            Joined.Clear();
            _refused.Clear();
            _inBank.Clear();
        }

        public async Task Join(Lease lease, Wanted wanted, CancellationToken cancel)
        {
            // Who left and came back is asked for again: a ban may be over.
            _clients.Forget(_refused.Where(one => !wanted.Online.Contains(one)));
            _refused.IntersectWith(wanted.Online);
            var came = wanted.Online.Union(wanted.Came);
            foreach (var some in Batches(came.Where(one => !Joined.Contains(one) && !_refused.Contains(one))))
            {
                var body = lease.Body().Set("players", some);
                var clients = _clients.Take(some);
                if (clients.Count > 0) body.Set("clients", clients);
                var said = await Post(lease, "/join", body, cancel).ConfigureAwait(false);
                foreach (var one in said.Objects("Values")) Note(new PlayerJoined(one));
                foreach (var one in said.Objects("Refused"))
                    Refuse(one.Id("Player"), one.Text("Code"), one.Text("Message"));
                foreach (var one in said.List("Unknown").OfType<string>())
                    Refuse(Guid.TryParse(one, out var id) ? id : (Guid?)null, "unknown", "There is no such character.");
                // Whatever is not named at all must not be asked for again in every round.
                _refused.UnionWith(some.Where(one => !Joined.Contains(one)));
            }
        }

        public async Task Leave(Lease lease, Wanted wanted, CancellationToken cancel)
        {
            foreach (var some in Batches(Joined.Where(one => !wanted.Online.Contains(one))))
            {
                await Post(lease, "/leave", lease.Body().Set("players", some), cancel).ConfigureAwait(false);
                Joined.ExceptWith(some);
                _clients.Forget(some);
                _inBank.ExceptWith(some);
            }
        }

        public async Task Bank(Lease lease, Wanted wanted, CancellationToken cancel)
        {
            foreach (var some in Batches(wanted.InBank.Where(one => Joined.Contains(one) && !_inBank.Contains(one))))
            {
                await Post(lease, "/bank", lease.Body().Set("opened", some), cancel).ConfigureAwait(false);
                _inBank.UnionWith(some);
            }
            foreach (var some in Batches(_inBank.Where(one => !wanted.InBank.Contains(one))))
            {
                await Post(lease, "/bank", lease.Body().Set("closed", some), cancel).ConfigureAwait(false);
                _inBank.ExceptWith(some);
            }
        }

        private async Task<JsonObject> Post(Lease lease, string what, JsonObject body, CancellationToken cancel)
        {
            // The same again under the same key: a request that was stuck for long must not be
            // carried out after the next one, or somebody who left would be online.
            var asked = what + body;
            if (asked != _asked) _key = Guid.NewGuid().ToString("D");
            _asked = asked;
            var said = await _connection.Post(lease.Path(what), body, _options.Timeout, cancel, _key)
                .ConfigureAwait(false);
            _asked = null;
            return said;
        }

        private void Note(PlayerJoined joined)
        {
            Joined.Add(joined.PlayerId);
            _notices.Add(joined);
        }

        private void Refuse(Guid? player, string code, string message)
        {
            if (player == null || !_refused.Add(player.Value)) return;
            _notices.Add(new JoinRefused(player.Value, code ?? "", message ?? ""));
        }

        private static IEnumerable<List<Guid>> Batches(IEnumerable<Guid> all)
        {
            var rest = all.ToList();
            for (var at = 0; at < rest.Count; at += Most)
                yield return rest.GetRange(at, Math.Min(Most, rest.Count - at));
        }
    }
}
