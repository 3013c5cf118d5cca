using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>
    /// Chat lines that wait to be sent, in memory: they are evidence, but no items, and a flush to disk
    /// for each line would cost more than the last second of chat is worth.
    /// </summary>
    internal sealed class ChatQueue
    {
        private const int MaxLinesPerCall = 500;
        private readonly object _gate = new object();
        private readonly Connection _connection;
        private readonly GameServerOptions _options;
        private readonly NoticeQueue _notices;
        private readonly Queue<ChatLine> _waiting = new Queue<ChatLine>();

        public ChatQueue(Connection connection, GameServerOptions options, NoticeQueue notices)
        {
            _connection = connection;
            _options = options;
            _notices = notices;
        }

        public int Count { get { lock (_gate) return _waiting.Count; } }

        /// <summary>False if there is no more room: the oldest line was dropped for this one.</summary>
        public bool Add(ChatLine line)
        {
            lock (_gate)
            {
                _waiting.Enqueue(line);
                if (_waiting.Count <= _options.MostChatLines) return true;
                _waiting.Dequeue();
            }
            _notices.Tell("chat", new QueueFullException(_options.MostChatLines, "chat lines wait to be sent"));
            return false;
        }

        /// <summary>Sends all lines; throws at the first call that may succeed later.</summary>
        public async Task Send(Lease lease, CancellationToken cancel)
        {
            var most = MaxLinesPerCall;
            while (First(most) is List<ChatLine> lines && lines.Count > 0)
            {
                try
                {
                    await Post(lease, lines, cancel).ConfigureAwait(false);
                }
                catch (RefusalException refusal) when (refusal.Status == 400 || refusal.Status == 413)
                {
                    // A line that the service refuses must not keep the others: halve until it is alone.
                    if (lines.Count > 1)
                    {
                        most = lines.Count / 2;
                        continue;
                    }
                    _notices.Tell("chat", refusal);
                }
                Remove(lines);
                most = MaxLinesPerCall;
            }
        }

        private List<ChatLine> First(int most)
        {
            lock (_gate) return _waiting.Take(most).ToList();
        }

        /// <summary>Lines that were dropped meanwhile are not at the front any more.</summary>
        private void Remove(List<ChatLine> lines)
        {
            var sent = new HashSet<ChatLine>(lines);
            lock (_gate)
                while (_waiting.Count > 0 && sent.Contains(_waiting.Peek())) _waiting.Dequeue();
        }

        private Task<JsonObject> Post(Lease lease, List<ChatLine> lines, CancellationToken cancel)
        {
            var body = lease.Body().Set("messages", lines.Select(line => line.Write()));
            return _connection.Post(lease.Path("/chat"), body, _options.Timeout, cancel);
        }
    }
}
