using System;

namespace Gamekeeper
{
    /// <summary>Something does not work, and is tried again by itself. For the game's log.</summary>
    public sealed class Trouble : Notice
    {
        internal Trouble(string what, Exception fault)
        {
            What = what;
            Fault = fault;
        }

        /// <summary>What was tried.</summary>
        public string What { get; }

        /// <summary>Why it failed: a RefusalException, an UnreachableException, an IOException…</summary>
        public Exception Fault { get; }

        /// <summary>For a log.</summary>
        public override string ToString()
        {
            var why = Fault as RefusalException;
            return What + ": " + (why == null ? Fault.Message : why.ToString());
        }
    }
}
