using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>
    /// What the game wants: who is online, and what was done. Written to the journal in the background;
    /// only what is there is sent.
    /// </summary>
    internal sealed class TransactionQueue
    {
        private static readonly TimeSpan Retry = TimeSpan.FromSeconds(1);
        private readonly object _gate = new object();
        private readonly TransactionJournal _journal;
        private readonly NoticeQueue _notices;
        private readonly int _most;
        private readonly Signal _wake = new Signal();
        private readonly HashSet<string> _keys = new HashSet<string>();
        private List<Queued> _fresh = new List<Queued>();
        private List<Queued> _written = new List<Queued>();
        private Wanted _wanted = new Wanted();
        private Wanted _ready = new Wanted();

        public TransactionQueue(TransactionJournal journal, NoticeQueue notices, int most)
        {
            _journal = journal;
            _notices = notices;
            _most = most;
            foreach (var left in journal.Left)
            {
                _keys.Add(left.Key);
                _written.Add(new Queued(left));
            }
        }

        /// <summary>Set when there is something to send.</summary>
        public Signal Ready { get; } = new Signal();

        public int Count { get { lock (_gate) return _keys.Count; } }

        /// <summary>Completed once it is on the disk.</summary>
        public Task Add(Transaction transaction)
        {
            transaction.Seal();
            var queued = new Queued(transaction);
            lock (_gate)
            {
                if (_keys.Count >= _most) throw new QueueFullException(_most);
                if (!_keys.Add(transaction.Key))
                    throw new InvalidOperationException("A transaction with this key waits already.");
                _fresh.Add(queued);
            }
            _wake.Set();
            return queued.Written.Task;
        }

        public void Want(HashSet<Guid> online, HashSet<Guid> inBank)
        {
            lock (_gate)
            {
                var same = (online == null || online.SetEquals(_wanted.Online))
                    && (inBank == null || inBank.SetEquals(_wanted.InBank));
                if (same) return;
                var next = new Wanted(online ?? _wanted.Online, inBank ?? _wanted.InBank, online ?? _wanted.Online);
                _wanted = _wanted.Then(next);
            }
            _wake.Set();
        }

        /// <summary>
        /// What may be sent, and who was online when the last of it was queued: taken at one
        /// moment, or a character might leave before its last deed is sent.
        /// </summary>
        public Wanted Take(List<Queued> into)
        {
            lock (_gate)
            {
                into.AddRange(_written);
                _written = new List<Queued>();
                var ready = _ready;
                _ready = new Wanted(ready.Online, ready.InBank, new HashSet<Guid>());
                return ready;
            }
        }

        /// <summary>These have an outcome.</summary>
        public void Settle(IReadOnlyList<string> keys)
        {
            lock (_gate) _keys.ExceptWith(keys);
            try { _journal.Settle(keys); }
            catch (Exception fault) when (IsOfDisk(fault)) { _notices.Tell("journal", fault); }
        }

        public async Task Run(CancellationToken cancel)
        {
            while (true)
            {
                var pause = WriteDown() ? Timeout.InfiniteTimeSpan : Retry;
                await _wake.Wait(pause, cancel).ConfigureAwait(false);
            }
        }

        /// <summary>False if the disk does not take it now.</summary>
        public bool WriteDown()
        {
            List<Queued> fresh;
            Wanted wanted;
            lock (_gate)
            {
                fresh = _fresh;
                wanted = _wanted;
                _wanted = new Wanted(wanted.Online, wanted.InBank, new HashSet<Guid>());
                _fresh = new List<Queued>();
            }
            try
            {
                _journal.Add(fresh.Select(one => one.Transaction).ToList());
            }
            catch (Exception fault) when (IsOfDisk(fault))
            {
                PutBack(fresh, wanted);
                _notices.Tell("journal", fault);
                return false;
            }
            lock (_gate)
            {
                _written.AddRange(fresh);
                _ready = _ready.Then(wanted);
            }
            foreach (var one in fresh) one.Written.TrySetResult(true);
            Ready.Set();
            return true;
        }

        private void PutBack(List<Queued> fresh, Wanted wanted)
        {
            lock (_gate)
            {
                fresh.AddRange(_fresh);
                _fresh = fresh;
                // They may join, but not leave before what they did is sent.
                _ready = _ready.With(wanted);
            }
            Ready.Set();
        }

        private static bool IsOfDisk(Exception fault)
        {
            return fault is IOException || fault is UnauthorizedAccessException;
        }
    }
}
