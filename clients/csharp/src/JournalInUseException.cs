using System;

namespace Gamekeeper
{
    /// <summary>Another process has this journal. Each game server needs a folder of its own.</summary>
    public sealed class JournalInUseException : GamekeeperException
    {
        internal JournalInUseException(string path, Exception inner)
            : base("Another process uses the journal " + path + ".", inner) { }
    }
}
