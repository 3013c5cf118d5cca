using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Writes down what became of commands, and tells the service.</summary>
    internal sealed class AnswerLoop
    {
        private const int Most = 100;
        private readonly Connection _connection;
        private readonly LeaseKeeper _keeper;
        private readonly CommandJournal _journal;
        private readonly NoticeQueue _notices;
        private readonly ConcurrentQueue<KeyValuePair<string, CommandAnswer>> _given =
            new ConcurrentQueue<KeyValuePair<string, CommandAnswer>>();
        private readonly ConcurrentDictionary<string, CommandAnswer> _unsent =
            new ConcurrentDictionary<string, CommandAnswer>();
        private readonly Signal _wake = new Signal();
        private readonly Backoff _backoff = new Backoff(5);

        public AnswerLoop(Connection connection, LeaseKeeper keeper, CommandJournal journal, NoticeQueue notices)
        {
            _connection = connection;
            _keeper = keeper;
            _journal = journal;
            _notices = notices;
        }

        public bool IsIdle { get { return _given.IsEmpty && _unsent.IsEmpty; } }

        /// <summary>Called by the game.</summary>
        public void Answer(Command command, CommandAnswer answer)
        {
            _given.Enqueue(new KeyValuePair<string, CommandAnswer>(command.Id, answer));
            _wake.Set();
        }

        /// <summary>The service asks again: the answer was lost.</summary>
        public void Repeat(string id, CommandAnswer answer)
        {
            _unsent[id] = answer;
            _wake.Set();
        }

        public async Task Run(CancellationToken cancel)
        {
            while (true)
            {
                await _wake.Wait(IsIdle ? Timeout.InfiniteTimeSpan : TimeSpan.Zero, cancel).ConfigureAwait(false);
                WriteDown();
                var lease = await _keeper.Held(cancel).ConfigureAwait(false);
                try
                {
                    await Send(lease, cancel).ConfigureAwait(false);
                    _backoff.Reset();
                }
                catch (GamekeeperException fault)
                {
                    if (fault is RefusalException refusal) _keeper.Refused(lease, refusal);
                    if (lease.IsAlive) _notices.Tell("answers", fault);
                    await _backoff.Pause(fault, cancel).ConfigureAwait(false);
                }
            }
        }

        /// <summary>Also if the disk is full: the answer is known here, and is told.</summary>
        public void WriteDown()
        {
            while (_given.TryDequeue(out var one))
            {
                _unsent[one.Key] = one.Value;
                try { _journal.Finish(one.Key, one.Value); }
                catch (Exception fault) { _notices.Tell("journal", fault); }
            }
        }

        private async Task Send(Lease lease, CancellationToken cancel)
        {
            var some = _unsent.Take(Most).ToList();
            if (some.Count == 0) return;
            var answers = some.Select(one => new JsonObject()
                .Set("id", one.Key).Set("done", one.Value.IsDone).SetIfAny("text", one.Value.Text)).ToList();
            var body = lease.Body().Set("answers", answers);
            await _connection.Post(lease.Path("/commands/answers"), body, TimeSpan.FromSeconds(10), cancel)
                .ConfigureAwait(false);
            // Each has an outcome of its own, but none that another attempt would change.
            foreach (var one in some) _unsent.TryRemove(one.Key, out _);
        }
    }
}
