using System;

namespace Gamekeeper
{
    /// <summary>Something that was done to a character of this server, by anybody.</summary>
    public sealed class GameEvent : Notice
    {
        internal GameEvent(JsonObject said)
        {
            Facts = said;
            Seq = said.Number("Seq") ?? 0;
            Kind = said.Text("Kind") ?? "";
            PlayerId = said.Id("PlayerId");
        }

        /// <summary>Its number. Keep the last one to go on there after a restart.</summary>
        public long Seq { get; }

        /// <summary>Its kind, such as items.give.</summary>
        public string Kind { get; }

        /// <summary>The character, if it is about one.</summary>
        public Guid? PlayerId { get; }

        /// <summary>All of it, as the contract describes an action.</summary>
        public JsonObject Facts { get; }
    }
}
