using System;

namespace Gamekeeper
{
    /// <summary>A message that a character sent in the game's chat.</summary>
    public sealed class ChatLine
    {
        /// <summary>A message that is sent now.</summary>
        /// <param name="player">The character that sent it.</param>
        /// <param name="channel">local, party, global, pm, admin or guild.</param>
        /// <param name="message">1 to 1,000 characters.</param>
        public ChatLine(Guid player, string channel, string message)
        {
            PlayerId = player;
            Channel = channel;
            Message = message;
        }

        /// <summary>The id, for Transaction.Report. A line that is sent twice is stored once.</summary>
        public Guid Id { get; } = Guid.NewGuid();

        /// <summary>The character that sent it.</summary>
        public Guid PlayerId { get; }

        /// <summary>local, party, global, pm, admin or guild.</summary>
        public string Channel { get; }

        /// <summary>The text.</summary>
        public string Message { get; }

        /// <summary>When it was sent.</summary>
        public DateTime SaidAt { get; } = DateTime.UtcNow;

        /// <summary>The recipient: a character, or the guild of a guild message.</summary>
        public Guid? TargetId { get; set; }

        /// <summary>The address of the player, or null.</summary>
        public string Address { get; set; }

        internal JsonObject Write()
        {
            return new JsonObject().Set("id", Id).Set("playerid", PlayerId).Set("channel", Channel)
                .Set("message", Message).Set("saidat", SaidAt.ToString("O"))
                .SetIfAny("targetid", TargetId).SetIfAny("address", Address);
        }
    }
}
