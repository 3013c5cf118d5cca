using System;

namespace Gamekeeper
{
    /// <summary>Work for every member of a segment, and how far it is.</summary>
    public sealed class Campaign
    {
        internal Campaign(JsonObject said)
        {
            Id = said.Id("Id") ?? Guid.Empty;
            Name = said.Text("Name") ?? "";
            Segment = said.Text("Segment") ?? "";
            State = said.Text("State") ?? "";
            IsOnJoin = said.Flag("OnJoin");
            Recipients = said.Number("Recipients") ?? 0;
            Done = said.Number("Done") ?? 0;
            Skipped = said.Number("Skipped") ?? 0;
            Refused = said.Number("Refused") ?? 0;
            Reversed = said.Number("Reversed") ?? 0;
            Kept = said.Number("Kept") ?? 0;
            Fault = said.Text("Fault");
        }

        /// <summary>The id of the campaign.</summary>
        public Guid Id { get; }

        /// <summary>Its name, for staff.</summary>
        public string Name { get; }

        /// <summary>The name of the segment.</summary>
        public string Segment { get; }

        /// <summary>preparing, ready, running, paused, stopped, finished, reversing or reversed.</summary>
        public string State { get; }

        /// <summary>Whether recipients get the letter when they join a game server.</summary>
        public bool IsOnJoin { get; }

        /// <summary>The number of recipients; while preparing, those found so far.</summary>
        public long Recipients { get; }

        /// <summary>Recipients whose work is done.</summary>
        public long Done { get; }

        /// <summary>Recipients who left the segment before their turn.</summary>
        public long Skipped { get; }

        /// <summary>Recipients whose work was not possible.</summary>
        public long Refused { get; }

        /// <summary>Recipients whose work was reversed completely.</summary>
        public long Reversed { get; }

        /// <summary>Recipients who keep all or a part, because it was used.</summary>
        public long Kept { get; }

        /// <summary>Why the worker paused it; null if it did not.</summary>
        public string Fault { get; }
    }
}
