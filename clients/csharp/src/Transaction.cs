using System;
using System.Collections.Generic;

namespace Gamekeeper
{
    /// <summary>
    /// Moves that are all made or none, under a key of its own: however often it is sent, it is done
    /// once. Build it, then give it to GameServer.Queue.
    /// </summary>
    public sealed class Transaction
    {
        private const int MostMoves = 50;
        private readonly List<object> _moves = new List<object>();
        private readonly List<object> _expected = new List<object>();
        private readonly HashSet<Guid> _players = new HashSet<Guid>();
        private string _text;

        /// <summary>A transaction; without a key it gets a random one.</summary>
        public Transaction(string reason = null, string key = null)
        {
            Reason = reason;
            Key = key ?? Guid.NewGuid().ToString("D");
            CheckKey(Key);
        }

        private Transaction(JsonObject read, bool anywhere)
        {
            Key = read.Text("key");
            CheckKey(Key);
            Reason = read.Text("reason");
            IsAnywhere = anywhere;
            foreach (var move in read.Objects("moves"))
            {
                _moves.Add(move);
                foreach (var name in new[] { "player", "from", "to" })
                    if (move.Id(name) is Guid player) _players.Add(player);
            }
            _expected.AddRange(read.List("expected"));
            _text = read.ToString();
        }

        /// <summary>Its key: the same key is done once.</summary>
        public string Key { get; }

        /// <summary>Why, for the log.</summary>
        public string Reason { get; }

        /// <summary>Whether it is done wherever its characters are.</summary>
        public bool IsAnywhere { get; private set; }

        /// <summary>The characters it is about.</summary>
        public IReadOnlyCollection<Guid> Players { get { return _players; } }

        /// <summary>Creates items for a character.</summary>
        public Transaction Give(Guid player, Guid item, int quantity, bool bankOverflow = false,
            int[] statBuffs = null)
        {
            return Items(new ItemsMove
            {
                To = player, ItemId = item, Quantity = quantity,
                BankOverflow = bankOverflow, StatBuffs = statBuffs,
            });
        }

        /// <summary>Removes items from a character.</summary>
        public Transaction Take(Guid player, Guid item, int quantity)
        {
            return Items(new ItemsMove { From = player, ItemId = item, Quantity = quantity });
        }

        /// <summary>Passes items on from one character to another. A trade is two of these.</summary>
        public Transaction Pass(Guid from, Guid to, Guid item, int quantity)
        {
            return Items(new ItemsMove { From = from, To = to, ItemId = item, Quantity = quantity });
        }

        /// <summary>Moves items with all that can be said: places, slots, bags.</summary>
        public Transaction Items(ItemsMove move)
        {
            if (move.From != null) _players.Add(move.From.Value);
            if (move.To != null) _players.Add(move.To.Value);
            return Add(move.Write());
        }

        /// <summary>Claims the items of a letter, all or none.</summary>
        public Transaction Claim(Guid player, Guid letter)
        {
            return Add(Of("claim", player).Set("letterid", letter));
        }

        /// <summary>Marks a letter as read.</summary>
        public Transaction MarkRead(Guid player, Guid letter)
        {
            return Add(Of("read", player).Set("letterid", letter));
        }

        /// <summary>Sets a variable of a character: bool, int, long, double or string.</summary>
        public Transaction SetVariable(Guid player, Guid variable, object value)
        {
            return Add(Of("variable", player).Set("variableid", variable).Set("value", value));
        }

        /// <summary>Teaches a spell.</summary>
        public Transaction Teach(Guid player, Guid spell)
        {
            return Add(Of("teach", player).Set("spellid", spell));
        }

        /// <summary>Has a spell forgotten.</summary>
        public Transaction Forget(Guid player, Guid spell)
        {
            return Add(Of("forget", player).Set("spellid", spell));
        }

        /// <summary>Adds experience.</summary>
        public Transaction Gain(Guid player, long experience)
        {
            return Add(Of("progress", player).Set("gain", experience));
        }

        /// <summary>Sets the level, the experience, or both.</summary>
        public Transaction SetProgress(Guid player, int? level = null, long? experience = null)
        {
            return Add(Of("progress", player).SetIfAny("level", level).SetIfAny("exp", experience));
        }

        /// <summary>Saves where a character stands and how it is.</summary>
        public Transaction Save(Guid player, Sheet sheet)
        {
            return Add(sheet.Write(Of("sheet", player)));
        }

        /// <summary>
        /// Files a report of a player about another one, for the moderators. Needs the scope reports.file.
        /// </summary>
        /// <param name="player">The character that reports.</param>
        /// <param name="reported">The character that is reported; it need not be online.</param>
        /// <param name="category">cheating, harassment, exploit, real_money_trading, offensive_name, spam or other.</param>
        /// <param name="text">The player's words, at most 2,000 characters.</param>
        /// <param name="messages">The ids of chat lines that are meant, at most 20 (ChatLine.Id).</param>
        public Transaction Report(Guid player, Guid reported, string category, string text = null,
            IReadOnlyCollection<Guid> messages = null)
        {
            return Add(Of("report", player).Set("reported", reported).Set("category", category)
                .SetIfAny("text", text).SetIfAny("messages", messages));
        }

        /// <summary>It is done only if the character's ledger has this sequence; else it is stale.</summary>
        public Transaction Expect(Guid player, long seq)
        {
            CheckOpen();
            _expected.Add(new JsonObject().Set("player", player).Set("seq", seq));
            return this;
        }

        /// <summary>
        /// Sent without the fence: done wherever its characters are, also after they left this server.
        /// For what is added or removed, never for what is saved as a state.
        /// </summary>
        public Transaction Anywhere()
        {
            IsAnywhere = true;
            return this;
        }

        internal static Transaction Read(JsonObject line)
        {
            return new Transaction(line.Object("t"), line.Flag("anywhere"));
        }

        /// <summary>As it is sent, and from now on the same.</summary>
        internal string Seal()
        {
            if (_moves.Count == 0) throw new ArgumentException("A transaction needs a move.");
            if (_text != null) return _text;
            var body = new JsonObject().Set("key", Key).Set("moves", _moves);
            if (_expected.Count > 0) body.Set("expected", _expected);
            return _text = body.SetIfAny("reason", Reason).ToString();
        }

        internal string Line()
        {
            return "{\"t\":" + Seal() + (IsAnywhere ? ",\"anywhere\":true}" : "}");
        }

        private JsonObject Of(string what, Guid player)
        {
            _players.Add(player);
            return new JsonObject().Set("do", what).Set("player", player);
        }

        private Transaction Add(JsonObject move)
        {
            CheckOpen();
            if (_moves.Count == MostMoves)
                throw new InvalidOperationException("A transaction has at most " + MostMoves + " moves.");
            _moves.Add(move);
            return this;
        }

        private void CheckOpen()
        {
            if (_text != null) throw new InvalidOperationException("The transaction is queued already.");
        }

        private static void CheckKey(string key)
        {
            var isGood = !string.IsNullOrEmpty(key) && key.Length <= 255;
            for (var at = 0; isGood && at < key.Length; at++) isGood = key[at] > ' ' && key[at] <= '~';
            if (!isGood) throw new ArgumentException("A key has 1 to 255 visible characters of ASCII.");
        }
    }
}
