using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>What the game has not taken yet.</summary>
    internal sealed class NoticeQueue
    {
        private const int Most = 10000;
        private static readonly TimeSpan Again = TimeSpan.FromSeconds(30);
        private readonly ConcurrentQueue<Notice> _waiting = new ConcurrentQueue<Notice>();
        private readonly Dictionary<string, TimeSpan> _told = new Dictionary<string, TimeSpan>();

        public void Add(Notice notice) { _waiting.Enqueue(notice); }

        /// <summary>Tells of a fault once, and again after a while: it may repeat every second.</summary>
        public void Tell(string what, Exception fault)
        {
            var trouble = new Trouble(what, fault);
            var said = what + fault.GetType().Name + (fault as RefusalException)?.Code;
            lock (_told)
            {
                if (_told.TryGetValue(said, out var last) && Clock.Now - last < Again) return;
                _told[said] = Clock.Now;
            }
            if (_waiting.Count < 2 * Most) Add(trouble);
        }

        public bool TryDequeue(out Notice notice) { return _waiting.TryDequeue(out notice); }

        /// <summary>Takes out the commands that the game has not seen.</summary>
        public List<Command> TakeCommands()
        {
            var commands = new List<Command>();
            for (var left = _waiting.Count; left > 0 && _waiting.TryDequeue(out var notice); left--)
            {
                if (notice is Command command) commands.Add(command);
                else _waiting.Enqueue(notice);
            }
            return commands;
        }

        /// <summary>Waits while the game takes nothing, or its memory would fill up.</summary>
        public async Task Room(CancellationToken cancel)
        {
            while (_waiting.Count >= Most)
                await Task.Delay(50, cancel).ConfigureAwait(false);
        }
    }
}
