using System;
using System.Diagnostics;

namespace Gamekeeper
{
    /// <summary>Time since the program began. It never jumps, whatever happens to the wall clock.</summary>
    internal static class Clock
    {
        private static readonly Stopwatch Watch = Stopwatch.StartNew();

        public static TimeSpan Now { get { return Watch.Elapsed; } }
    }
}
