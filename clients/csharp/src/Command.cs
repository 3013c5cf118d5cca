using System;
using System.Threading;

namespace Gamekeeper
{
    /// <summary>A command of the staff. The game carries it out and answers, once.</summary>
    public sealed class Command : Notice
    {
        private readonly Action<Command, CommandAnswer> _answer;
        private int _isAnswered;

        internal Command(JsonObject said, Lease lease, Action<Command, CommandAnswer> answer)
        {
            Id = said.Text("Id");
            Kind = said.Text("Kind") ?? "";
            PlayerId = said.Id("PlayerId");
            Payload = said.Object("Payload") ?? new JsonObject();
            Ends = Clock.Now + TimeSpan.FromSeconds(said.Fraction("SecondsLeft") ?? 30);
            Lease = lease;
            _answer = answer;
        }

        /// <summary>Its id.</summary>
        public string Id { get; }

        /// <summary>kick, kill, warp, message or custom.</summary>
        public string Kind { get; }

        /// <summary>The character; null if the command is for the server itself.</summary>
        public Guid? PlayerId { get; }

        /// <summary>What it is about: Text, Color, MapId, X, Y, or what was sent with custom.</summary>
        public JsonObject Payload { get; }

        internal TimeSpan Ends { get; }

        internal Lease Lease { get; }

        /// <summary>It was carried out. False if it was answered before; then nothing happens.</summary>
        public bool Done(string text = null) { return Answer(new CommandAnswer(true, text)); }

        /// <summary>It was not carried out, and why. False if it was answered before.</summary>
        public bool Fail(string why) { return Answer(new CommandAnswer(false, why)); }

        private bool Answer(CommandAnswer answer)
        {
            if (Interlocked.Exchange(ref _isAnswered, 1) == 1) return false;
            _answer(this, answer);
            return true;
        }
    }
}
