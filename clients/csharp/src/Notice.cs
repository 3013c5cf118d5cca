namespace Gamekeeper
{
    /// <summary>Something the game must know. It takes these from GameServer.TryDequeue on its own tick.</summary>
    public abstract class Notice
    {
        internal Notice() { }
    }
}
