using System;
using System.Collections.Generic;

namespace Gamekeeper
{
    /// <summary>Where the service is, and who this game server is.</summary>
    public sealed class GameServerOptions
    {
        /// <summary>The address of the service, such as https://accounts.example.org.</summary>
        public string Url { get; set; }

        /// <summary>The API key; it needs the scopes servers, transactions and events.read, and reports.file for reports.</summary>
        public string Key { get; set; }

        /// <summary>The name of the game server, 1 to 64 characters.</summary>
        public string Name { get; set; }

        /// <summary>A folder for the journals, which no other process uses.</summary>
        public string JournalFolder { get; set; }

        /// <summary>Whether commands of the staff are fetched. The game must answer each.</summary>
        public bool Commands { get; set; } = true;

        /// <summary>Whether events on the characters of this server are followed.</summary>
        public bool Events { get; set; } = true;

        /// <summary>The kinds of events, such as items.give; null: all.</summary>
        public IReadOnlyList<string> EventKinds { get; set; }

        /// <summary>The event after which to begin; null: the newest when the server registers.</summary>
        public long? EventsAfter { get; set; }

        /// <summary>Ask for events again and again instead of one long stream.</summary>
        public bool LongPoll { get; set; }

        /// <summary>How long one call may take.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

        /// <summary>
        /// How long what was queued before the lease was taken waits until its characters have
        /// joined. Then it is sent anyway, and its outcome may be fenced.
        /// </summary>
        public TimeSpan RejoinTime { get; set; } = TimeSpan.FromMinutes(10);

        /// <summary>How many transactions may wait for an outcome before Queue throws.</summary>
        public int MostPending { get; set; } = 100000;

        /// <summary>How many chat lines may wait to be sent before the oldest are dropped.</summary>
        public int MostChatLines { get; set; } = 10000;

        internal void Check()
        {
            if (string.IsNullOrWhiteSpace(Name)) throw new ArgumentException("There is no name.");
            if (string.IsNullOrWhiteSpace(JournalFolder))
                throw new ArgumentException("There is no folder for the journals.");
            if (Timeout <= TimeSpan.Zero) throw new ArgumentException("The timeout must be longer.");
            if (MostPending < 1) throw new ArgumentException("MostPending must be 1 or more.");
            if (MostChatLines < 1) throw new ArgumentException("MostChatLines must be 1 or more.");
        }
    }
}
