using System;
using IntersectPlugin;

/// <summary>A player with room for ten items.</summary>
internal sealed class StandInPlayer : IOnlinePlayer
{
    private readonly StandInEngine _engine;
    private int _items;

    public StandInPlayer(StandInEngine engine, Guid id, Guid account)
    {
        _engine = engine;
        Id = id;
        AccountId = account;
    }

    public Guid Id { get; }

    public Guid AccountId { get; }

    public void Kick(string reason)
    {
        _engine.LogOut(Id);
        _engine.Say("kick", Id, reason);
    }

    public void Kill()
    {
        throw new InvalidOperationException("This one breaks.");
    }

    public bool Warp(Guid map, int x, int y)
    {
        _engine.Say("warp", Id, map.ToString("D") + " " + x + " " + y);
        return true;
    }

    public void Send(string text, string color) { _engine.Say("send", Id, text); }

    public bool TryGiveItem(Guid item, int quantity)
    {
        if (_items + quantity > 10) return false;
        _items += quantity;
        _engine.Say("give", Id, item.ToString("D") + " " + quantity);
        return true;
    }

    public void Mute(string reason, DateTime? until)
    {
        _engine.Say("mute", Id, reason + (until == null ? " for ever" : " until " + until.Value.ToString("yyyy")));
    }

    public void Unmute() { _engine.Say("unmute", Id, null); }
}
