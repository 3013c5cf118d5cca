using System;
using System.IO;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Follows the events, by a stream or by long polling, and goes on where it broke off.</summary>
    internal sealed class EventLoop
    {
        // The service says something every 15 seconds; after three of these the line is dead.
        private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(45);
        private const int WaitSeconds = 20;
        private readonly Connection _connection;
        private readonly LeaseKeeper _keeper;
        private readonly GameServerOptions _options;
        private readonly NoticeQueue _notices;
        private readonly Backoff _backoff = new Backoff(15);
        private long? _place;
        private int _silent;

        public EventLoop(Connection connection, LeaseKeeper keeper, GameServerOptions options, NoticeQueue notices)
        {
            _connection = connection;
            _keeper = keeper;
            _options = options;
            _notices = notices;
            _place = options.EventsAfter;
        }

        /// <summary>Notes where the events are now, before anybody joins: so nothing is missed.</summary>
        public async Task Begin(CancellationToken cancel)
        {
            if (_place != null) return;
            var path = "/api/v1/events?after=latest&limit=1";
            var said = await _connection.Send(HttpMethod.Get, path, null, _options.Timeout, cancel)
                .ConfigureAwait(false);
            _place = said.Number("Next");
        }

        public async Task Run(CancellationToken cancel)
        {
            var lease = await _keeper.Held(cancel).ConfigureAwait(false);
            var query = "?server=" + lease.ServerId.ToString("D");
            if (_options.EventKinds != null)
                query += "&kinds=" + Uri.EscapeDataString(string.Join(",", _options.EventKinds));
            while (true)
            {
                try
                {
                    // Something between may hold streams back. Then ask again and again.
                    var polls = _options.LongPoll || _silent >= 2;
                    await (polls ? Poll(query, cancel) : Follow(query, cancel)).ConfigureAwait(false);
                    if (polls) continue;
                    await _backoff.Pause(null, cancel).ConfigureAwait(false);
                }
                catch (RefusalException refusal) when (Resume(refusal)) { }
                catch (Exception fault) when (!cancel.IsCancellationRequested)
                {
                    if (fault is TimeoutException) _silent++;
                    _notices.Tell("events", fault);
                    await _backoff.Pause(fault, cancel).ConfigureAwait(false);
                }
            }
        }

        private async Task Follow(string query, CancellationToken cancel)
        {
            var path = "/api/v1/events" + query;
            using (var response = await _connection.Open(path, _place.ToString(), _options.Timeout, cancel)
                .ConfigureAwait(false))
            {
                var opening = response.Content.ReadAsStreamAsync();
                var stream = await Patience.Within(opening, _options.Timeout, cancel).ConfigureAwait(false);
                using (var reader = new EventStreamReader(new StreamReader(stream)))
                    while (await reader.Read(Quiet, cancel).ConfigureAwait(false))
                    {
                        _silent = 0;
                        _backoff.Reset();
                        if (reader.Event == "end") return;
                        Take(reader);
                        await _notices.Room(cancel).ConfigureAwait(false);
                    }
            }
        }

        private async Task Poll(string query, CancellationToken cancel)
        {
            await _notices.Room(cancel).ConfigureAwait(false);
            var path = "/api/v1/events" + query + "&limit=1000&wait=" + WaitSeconds + "&after=" + _place;
            var most = TimeSpan.FromSeconds(WaitSeconds + 10);
            var said = await _connection.Send(HttpMethod.Get, path, null, most, cancel).ConfigureAwait(false);
            foreach (var one in said.Objects("Values")) Tell(one);
            Go(said.Number("Next") ?? 0);
            _backoff.Reset();
        }

        private void Take(EventStreamReader reader)
        {
            if (reader.Data.Length > 0) Tell(JsonObject.Parse(reader.Data));
            // A keep-alive has only an id: the filter left out what was before it.
            if (long.TryParse(reader.Id, out var place)) Go(place);
        }

        private void Tell(JsonObject said)
        {
            var told = new GameEvent(said);
            if (told.Seq <= _place) return;
            _notices.Add(told);
            Go(told.Seq);
        }

        private void Go(long place)
        {
            if (place > _place) _place = place;
        }

        /// <summary>Whether the service says where to go on; the game is told that something is missing.</summary>
        private bool Resume(RefusalException refusal)
        {
            long? next = null;
            if (refusal.Code == "events_expired") next = refusal.Details.Number("Oldest") - 1;
            if (refusal.Code == "events_unknown") next = refusal.Details.Number("Shared");
            if (next == null) return false;
            _place = next;
            _notices.Add(new EventsMissed(refusal.Code, next.Value));
            return true;
        }
    }
}
