using System;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Growing pauses at random, so that those who failed together do not come back together.</summary>
    internal sealed class Backoff
    {
        private static readonly Random Dice = new Random();
        private readonly double _longest;
        private int _made;

        public Backoff(double longest) { _longest = longest; }

        public void Reset() { _made = 0; }

        /// <summary>What the service asks for, and up to twice as much as the last time.</summary>
        public TimeSpan Next(Exception fault)
        {
            var asked = (fault as RefusalException)?.RetryAfter ?? TimeSpan.Zero;
            // A proxy could ask for a year; nobody would notice that the game waits.
            if (asked > TimeSpan.FromMinutes(5)) asked = TimeSpan.FromMinutes(5);
            var most = Math.Min(_longest, 0.2 * Math.Pow(2, Math.Min(_made++, 20)));
            lock (Dice) return asked + TimeSpan.FromSeconds(most * (0.5 + Dice.NextDouble() / 2));
        }

        public Task Pause(Exception fault, CancellationToken cancel)
        {
            return Task.Delay(Next(fault), cancel);
        }
    }
}
