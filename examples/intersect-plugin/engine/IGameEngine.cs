using System;
using System.Collections.Generic;

namespace IntersectPlugin
{
    /// <summary>
    /// What the plugin needs of the engine, in words of our own. In an Intersect server one class
    /// implements it: the README says by which calls.
    /// </summary>
    public interface IGameEngine
    {
        /// <summary>Who is online now.</summary>
        IReadOnlyList<IOnlinePlayer> OnlinePlayers { get; }

        /// <summary>A player who is online, or null.</summary>
        IOnlinePlayer Find(Guid id);

        /// <summary>Writes to everybody.</summary>
        void SendToAll(string text, string color);

        /// <summary>Writes to everybody on a map; false if this server has no such map.</summary>
        bool SendToMap(Guid map, string text, string color);

        /// <summary>The engine's log.</summary>
        void Log(string text);
    }
}
