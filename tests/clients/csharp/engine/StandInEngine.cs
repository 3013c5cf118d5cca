using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Gamekeeper;
using IntersectPlugin;

/// <summary>A stand-in for the engine: it knows who is online, and says what the plugin does.</summary>
internal sealed class StandInEngine : IGameEngine
{
    private readonly ConcurrentDictionary<Guid, StandInPlayer> _players =
        new ConcurrentDictionary<Guid, StandInPlayer>();

    public IReadOnlyList<IOnlinePlayer> OnlinePlayers { get { return _players.Values.ToList<IOnlinePlayer>(); } }

    public IOnlinePlayer Find(Guid id)
    {
        return _players.TryGetValue(id, out var player) ? player : null;
    }

    public void SendToAll(string text, string color) { Say("all", null, text); }

    public bool SendToMap(Guid map, string text, string color)
    {
        Say("map", null, text);
        return map != Guid.Empty;
    }

    public void Log(string text) { Say("log", null, text); }

    public void LogIn(StandInPlayer player) { _players[player.Id] = player; }

    public void LogOut(Guid id) { _players.TryRemove(id, out _); }

    public void Say(string notice, Guid? player, string text)
    {
        var said = new JsonObject().Set("notice", notice).Set("player", player).Set("text", text);
        lock (_players)
        {
            Console.WriteLine(said.ToString());
            Console.Out.Flush();
        }
    }
}
