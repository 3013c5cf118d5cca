using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>
    /// A game server. Everything that waits runs in the background; no method here blocks the game's
    /// thread except Stop. The game says who is online and what was done, and takes notices on its tick.
    /// </summary>
    public sealed class GameServer : IDisposable
    {
        private static readonly TimeSpan StopTime = TimeSpan.FromSeconds(5);
        private readonly GameServerOptions _options;
        private readonly CancellationTokenSource _ending = new CancellationTokenSource();
        private readonly NoticeQueue _notices = new NoticeQueue();
        private readonly Connection _connection;
        private readonly LeaseKeeper _keeper;
        private readonly EventLoop _events;
        private readonly ChatQueue _chat;
        private readonly ClientTraces _clients = new ClientTraces();
        private readonly List<Task> _loops = new List<Task>();
        private readonly object _gate = new object();
        private JournalLock _lock;
        private TransactionJournal _transactions;
        private CommandJournal _commands;
        private TransactionQueue _queue;
        private SendLoop _sending;
        private AnswerLoop _answers;
        private Task<bool> _stopping;

        /// <summary>Checks the options; nothing is sent before Start.</summary>
        public GameServer(GameServerOptions options)
        {
            options.Check();
            _options = options;
            _connection = new Connection(options.Url, options.Key);
            _chat = new ChatQueue(_connection, options, _notices);
            _keeper = new LeaseKeeper(_connection, options, _notices, Prepare);
            _events = new EventLoop(_connection, _keeper, options, _notices);
            Campaigns = new Campaigns(this);
        }

        /// <summary>Campaigns: work for all members of a segment, such as a letter with items.</summary>
        public Campaigns Campaigns { get; }

        /// <summary>Whether this process is the game server now, as far as it knows.</summary>
        public bool IsAlive { get { return _keeper.Current != null; } }

        /// <summary>The id of the game server, while it is alive.</summary>
        public Guid? ServerId { get { return _keeper.Current?.ServerId; } }

        /// <summary>The fencing number, while it is alive.</summary>
        public long? Fence { get { return _keeper.Current?.Fence; } }

        /// <summary>How many transactions have no outcome yet.</summary>
        public int Pending { get { return _queue?.Count ?? 0; } }

        /// <summary>Opens the journals and begins. Throws JournalInUseException if another process has them.</summary>
        public void Start()
        {
            lock (_gate)
            {
                if (_queue != null || _stopping != null)
                    throw new InvalidOperationException("A game server starts once.");
                OpenJournals();
                Begin("lease", _keeper.Run);
                Begin("journal", _queue.Run);
                Begin("send", _sending.Run);
                if (_options.Events) Begin("events", _events.Run);
                if (!_options.Commands) return;
                var commands = new CommandLoop(_connection, _keeper, _commands, _notices, _answers);
                Begin("commands", commands.Run);
                Begin("answers", _answers.Run);
            }
        }

        /// <summary>Who is in the game now. Call it as often as you like; only differences are sent.</summary>
        public void SetOnline(IEnumerable<Guid> players)
        {
            if (IsOpen) _queue.Want(new HashSet<Guid>(players), null);
        }

        /// <summary>
        /// Where a player is connected from: the address, and an id of the device that the game client
        /// chose; each may be null. Call it before SetOnline has the character. The service stores only a
        /// hash of the device. Access bans and linked accounts need it.
        /// </summary>
        public void SetClient(Guid player, string address, string deviceId = null)
        {
            if (IsOpen) _clients.Set(player, address, deviceId);
        }

        /// <summary>
        /// Sends a chat message to the chat log of the staff, within about a second. False if more than
        /// MostChatLines wait: the oldest one was dropped. A crash loses the lines that are not sent yet.
        /// </summary>
        public bool LogChat(ChatLine line)
        {
            return IsOpen && _chat.Add(line);
        }

        /// <summary>Whose bank window is open now.</summary>
        public void SetInBank(IEnumerable<Guid> players)
        {
            if (IsOpen) _queue.Want(null, new HashSet<Guid>(players));
        }

        /// <summary>
        /// Queues a transaction. The task is completed once it is on the disk; a crash before that loses
        /// it whole. Its outcome comes as a notice. Throws after Stop: nobody would send it.
        /// </summary>
        public Task Queue(Transaction transaction)
        {
            if (!IsOpen) throw new InvalidOperationException("The game server is not running.");
            return _queue.Add(transaction);
        }

        /// <summary>The next notice, if there is one. Commands that came too late are left out.</summary>
        public bool TryDequeue(out Notice notice)
        {
            while (_notices.TryDequeue(out notice))
            {
                if (!(notice is Command command)) return true;
                if (!command.Lease.IsAlive) command.Fail("The server lost its lease before it did this.");
                else if (Clock.Now > command.Ends) command.Fail("Too late.");
                else return true;
            }
            return false;
        }

        /// <summary>Registers again after another process replaced this one: this one is the right one.</summary>
        public void TakeOver() { _keeper.TakeOver(); }

        /// <summary>
        /// Any other call of the API, with retries for 30 seconds; a change has one key for all attempts.
        /// Throws RefusalException or UnreachableException. Do not wait for it in the game's thread.
        /// </summary>
        public async Task<JsonObject> CallAsync(string method, string path, JsonObject body = null,
            string idempotencyKey = null)
        {
            var key = method == "GET" ? null : idempotencyKey ?? Guid.NewGuid().ToString("D");
            var ends = Clock.Now + TimeSpan.FromSeconds(30);
            var backoff = new Backoff(5);
            while (true)
            {
                TimeSpan pause;
                try
                {
                    return await _connection.Send(new HttpMethod(method), path, body, _options.Timeout,
                        _ending.Token, key).ConfigureAwait(false);
                }
                catch (GamekeeperException fault)
                {
                    pause = backoff.Next(fault);
                    var isFinal = fault is RefusalException refusal && !refusal.IsPassing;
                    if (isFinal || Clock.Now + pause > ends) throw;
                }
                await Task.Delay(pause, _ending.Token).ConfigureAwait(false);
            }
        }

        /// <summary>
        /// The letters in the mailbox of a character, newest first. Read them after it has joined, when
        /// it opens its mailbox, and after an event about it. Throws as CallAsync.
        /// </summary>
        public async Task<IReadOnlyList<Letter>> LettersAsync(Guid player)
        {
            var path = "/api/v1/players/" + player.ToString("D") + "/mailbox?limit=100";
            var letters = new List<Letter>();
            string next = null;
            do
            {
                var more = next == null ? "" : "&cursor=" + next;
                var page = await CallAsync("GET", path + more).ConfigureAwait(false);
                letters.AddRange(page.Objects("Values").Select(said => new Letter(said)));
                next = page.Text("Next");
            }
            while (next != null);
            return letters;
        }

        /// <summary>
        /// Redeems a code that a player typed: its items go to the mailbox of the character. Needs the
        /// scope codes.redeem. Throws as CallAsync; the Message of a RefusalException is for the player.
        /// </summary>
        public async Task<RedeemedCode> RedeemAsync(Guid player, string code, string idempotencyKey = null)
        {
            var body = new JsonObject().Set("code", code).Set("character", player.ToString("D"));
            var said = await CallAsync("POST", "/api/v1/codes/redeem", body, idempotencyKey)
                .ConfigureAwait(false);
            return new RedeemedCode(said);
        }

        /// <summary>
        /// Sends what is left, as long as there is time, and ends the lease and all its sessions. Returns
        /// whether everything has an outcome; the rest is in the journal. May be called twice.
        /// </summary>
        public bool Stop(TimeSpan? most = null)
        {
            return StopAsync(most).GetAwaiter().GetResult();
        }

        /// <summary>As Stop, without blocking.</summary>
        public Task<bool> StopAsync(TimeSpan? most = null)
        {
            lock (_gate)
            {
                var time = most ?? StopTime;
                return _stopping ?? (_stopping = Task.Run(() => End(time)));
            }
        }

        /// <summary>As Stop.</summary>
        public void Dispose() { Stop(); }

        private bool IsOpen { get { return _queue != null && _stopping == null; } }

        private void OpenJournals()
        {
            Directory.CreateDirectory(_options.JournalFolder);
            _lock = new JournalLock(_options.JournalFolder);
            try
            {
                _transactions = new TransactionJournal(_options.JournalFolder);
                _commands = new CommandJournal(_options.JournalFolder);
            }
            catch
            {
                CloseJournals();
                throw;
            }
            if (_transactions.Damaged + _commands.Damaged > 0)
                _notices.Tell("journal", new IOException("Lines of the journal cannot be read; see *.damaged."));
            _answers = new AnswerLoop(_connection, _keeper, _commands, _notices);
            var presence = new Presence(_connection, _options, _notices, _clients);
            var sender = new TransactionSender(_connection, _options);
            var queue = new TransactionQueue(_transactions, _notices, _options.MostPending);
            _sending = new SendLoop(_keeper, queue, presence, sender, _chat, _notices,
                _options.RejoinTime);
            _queue = queue;
        }

        private void CloseJournals()
        {
            _transactions?.Dispose();
            _commands?.Dispose();
            _lock?.Dispose();
        }

        private Task Prepare(Lease lease, CancellationToken cancel)
        {
            return _options.Events ? _events.Begin(cancel) : Task.FromResult(true);
        }

        /// <summary>A loop that goes on whatever happens, until the server stops.</summary>
        private void Begin(string name, Func<CancellationToken, Task> loop)
        {
            _loops.Add(Task.Run(async () =>
            {
                while (!_ending.IsCancellationRequested)
                {
                    try { await loop(_ending.Token).ConfigureAwait(false); }
                    catch (Exception fault)
                    {
                        if (_ending.IsCancellationRequested) return;
                        _notices.Tell(name, fault);
                    }
                    await Task.WhenAny(Task.Delay(1000, _ending.Token)).ConfigureAwait(false);
                }
            }));
        }

        private async Task<bool> End(TimeSpan most)
        {
            var ends = Clock.Now + most;
            foreach (var command in _notices.TakeCommands())
                command.Fail("The server stopped before it did this.");
            while (_queue != null && IsAlive && Clock.Now < ends
                && (_queue.Count > _sending.Held || _chat.Count > 0 || !_answers.IsIdle))
                await Task.Delay(20).ConfigureAwait(false);
            _ending.Cancel();
            var all = Task.WhenAll(_loops.ToArray());
            await Task.WhenAny(all, Task.Delay(2000)).ConfigureAwait(false);
            if (_queue != null)
            {
                _queue.WriteDown();
                _answers.WriteDown();
            }
            await EndLease().ConfigureAwait(false);
            CloseJournals();
            _connection.Dispose();
            return Pending == 0;
        }

        private async Task EndLease()
        {
            var lease = _keeper.Current;
            if (lease == null) return;
            lease.Lose();
            try
            {
                await _connection.Post(lease.Path("/stop"), lease.Body(), TimeSpan.FromSeconds(3),
                    CancellationToken.None).ConfigureAwait(false);
            }
            catch (GamekeeperException fault)
            {
                // It ends by itself when nobody renews it.
                _notices.Tell("stop", fault);
            }
        }
    }
}
