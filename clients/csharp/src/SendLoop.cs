using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Round after round: who came joins, what was done is sent, who went leaves.</summary>
    internal sealed class SendLoop
    {
        private readonly LeaseKeeper _keeper;
        private readonly TransactionQueue _queue;
        private readonly Presence _presence;
        private readonly TransactionSender _sender;
        private readonly ChatQueue _chat;
        private readonly NoticeQueue _notices;
        private readonly TimeSpan _rejoin;
        private readonly Backoff _backoff = new Backoff(5);
        private readonly List<Queued> _pending = new List<Queued>();
        private Wanted _wanted = new Wanted();
        private Lease _lease;
        private int _held;

        public SendLoop(LeaseKeeper keeper, TransactionQueue queue, Presence presence,
            TransactionSender sender, ChatQueue chat, NoticeQueue notices, TimeSpan rejoin)
        {
            _keeper = keeper;
            _queue = queue;
            _presence = presence;
            _sender = sender;
            _chat = chat;
            _notices = notices;
            _rejoin = rejoin;
        }

        /// <summary>How many transactions wait for their characters.</summary>
        public int Held { get { return Volatile.Read(ref _held); } }

        public async Task Run(CancellationToken cancel)
        {
            while (true)
            {
                var lease = await _keeper.Held(cancel).ConfigureAwait(false);
                var pause = TimeSpan.FromSeconds(1);
                try
                {
                    await Round(lease, cancel).ConfigureAwait(false);
                    _backoff.Reset();
                }
                catch (GamekeeperException fault)
                {
                    if (fault is RefusalException refusal) _keeper.Refused(lease, refusal);
                    if (lease.IsAlive) _notices.Tell("send", fault);
                    pause = _backoff.Next(fault);
                    await Task.Delay(pause, cancel).ConfigureAwait(false);
                    continue;
                }
                await _queue.Ready.Wait(pause, cancel).ConfigureAwait(false);
            }
        }

        private async Task Round(Lease lease, CancellationToken cancel)
        {
            var fresh = new List<Queued>();
            // What a round that failed did not get to is still to be done.
            var wanted = _wanted = _wanted.Then(_queue.Take(fresh));
            _pending.AddRange(fresh);
            if (lease != _lease) Begin(lease);
            await _presence.Join(lease, wanted, cancel).ConfigureAwait(false);
            // Before transactions: a report keeps the chat that the service has by then.
            var fault = await TrySendChat(lease, cancel).ConfigureAwait(false);
            var due = _pending.Where(IsDue).ToList();
            Volatile.Write(ref _held, _pending.Count - due.Count);
            await _sender.Send(lease, due, Settle, cancel).ConfigureAwait(false);
            await _presence.Bank(lease, wanted, cancel).ConfigureAwait(false);
            await _presence.Leave(lease, wanted, cancel).ConfigureAwait(false);
            _wanted = new Wanted();
            if (fault != null) throw fault;
        }

        /// <summary>Why chat was not sent, which must not keep transactions back; null if it was.</summary>
        private async Task<GamekeeperException> TrySendChat(Lease lease, CancellationToken cancel)
        {
            try
            {
                await _chat.Send(lease, cancel).ConfigureAwait(false);
                return null;
            }
            catch (GamekeeperException fault)
            {
                return fault;
            }
        }

        /// <summary>What was queued under another lease waits until its characters are here again.</summary>
        private void Begin(Lease lease)
        {
            _lease = lease;
            _presence.Clear();
            foreach (var one in _pending) one.HeldUntil = Clock.Now + _rejoin;
        }

        private bool IsDue(Queued one)
        {
            return one.HeldUntil == null || one.Transaction.IsAnywhere || Clock.Now >= one.HeldUntil
                || one.Transaction.Players.All(_presence.Joined.Contains);
        }

        private void Settle(IReadOnlyList<Outcome> outcomes)
        {
            var keys = new HashSet<string>(outcomes.Select(one => one.Key));
            _queue.Settle(keys.ToList());
            _pending.RemoveAll(one => keys.Contains(one.Transaction.Key));
            foreach (var outcome in outcomes) _notices.Add(outcome);
        }
    }
}
