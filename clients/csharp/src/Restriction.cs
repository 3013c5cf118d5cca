namespace Gamekeeper
{
    /// <summary>What a character may not do: mute or trade_lock.</summary>
    public sealed class Restriction
    {
        internal Restriction(JsonObject said)
        {
            Kind = said.Text("Kind") ?? "";
            Code = said.Text("Code") ?? "";
            Message = said.Text("Message") ?? "";
            Until = said.Text("Until");
        }

        /// <summary>mute or trade_lock.</summary>
        public string Kind { get; }

        /// <summary>The code of the sanction, which players may quote.</summary>
        public string Code { get; }

        /// <summary>Words for the player.</summary>
        public string Message { get; }

        /// <summary>When it ends, in ISO 8601; null: never.</summary>
        public string Until { get; }
    }
}
