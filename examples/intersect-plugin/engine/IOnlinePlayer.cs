using System;

namespace IntersectPlugin
{
    /// <summary>A player in the running server. Implementations take the engine's lock of the entity.</summary>
    public interface IOnlinePlayer
    {
        /// <summary>The id, the same in the engine and in Gamekeeper.</summary>
        Guid Id { get; }

        /// <summary>The id of the account.</summary>
        Guid AccountId { get; }

        /// <summary>Disconnects the player.</summary>
        void Kick(string reason);

        /// <summary>Kills the character.</summary>
        void Kill();

        /// <summary>Moves the character; false if there is no such place.</summary>
        bool Warp(Guid map, int x, int y);

        /// <summary>Writes to the player.</summary>
        void Send(string text, string color);

        /// <summary>Gives items, all or none: false if there is no room or no such item.</summary>
        bool TryGiveItem(Guid item, int quantity);

        /// <summary>Does not let the player talk, until then or, without an end, for ever.</summary>
        void Mute(string reason, DateTime? until);

        /// <summary>Lets the player talk again.</summary>
        void Unmute();
    }
}
