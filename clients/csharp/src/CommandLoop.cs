using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Fetches commands, by long polling, and hands each to the game once.</summary>
    internal sealed class CommandLoop
    {
        private const int WaitSeconds = 20;
        private readonly Connection _connection;
        private readonly LeaseKeeper _keeper;
        private readonly CommandJournal _journal;
        private readonly NoticeQueue _notices;
        private readonly AnswerLoop _answers;
        private readonly Backoff _backoff = new Backoff(5);

        public CommandLoop(Connection connection, LeaseKeeper keeper, CommandJournal journal,
            NoticeQueue notices, AnswerLoop answers)
        {
            _connection = connection;
            _keeper = keeper;
            _journal = journal;
            _notices = notices;
            _answers = answers;
        }

        public async Task Run(CancellationToken cancel)
        {
            while (true)
            {
                await _notices.Room(cancel).ConfigureAwait(false);
                var lease = await _keeper.Held(cancel).ConfigureAwait(false);
                try
                {
                    await Fetch(lease, cancel).ConfigureAwait(false);
                    _backoff.Reset();
                }
                catch (Exception fault) when (!cancel.IsCancellationRequested)
                {
                    // Also a full disk: what was not written down is not handed out, and comes again.
                    if (fault is RefusalException refusal) _keeper.Refused(lease, refusal);
                    if (lease.IsAlive) _notices.Tell("commands", fault);
                    await _backoff.Pause(fault, cancel).ConfigureAwait(false);
                }
            }
        }

        private async Task Fetch(Lease lease, CancellationToken cancel)
        {
            _journal.Register(lease.Fence);
            var body = lease.Body().Set("wait", WaitSeconds).Set("limit", 100)
                .Set("resume", _journal.Before(lease.Fence));
            var path = lease.Path("/commands/fetch");
            var most = TimeSpan.FromSeconds(WaitSeconds + 10);
            var said = await _connection.Post(path, body, most, cancel).ConfigureAwait(false);
            var fetched = said.Objects("Values").Where(one => one.Text("Id") != null).ToList();
            var fresh = _journal.Begin(fetched.Select(one => one.Text("Id")));
            foreach (var one in fetched)
            {
                var id = one.Text("Id");
                if (fresh.Remove(id)) _notices.Add(new Command(one, lease, _answers.Answer));
                else if (_journal.Outcome(id) is CommandAnswer known) _answers.Repeat(id, known);
            }
        }
    }
}
