using System;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Wakes one loop. Setting it costs the game's thread nothing.</summary>
    internal sealed class Signal
    {
        private readonly SemaphoreSlim _set = new SemaphoreSlim(0, 1);

        public void Set()
        {
            lock (_set)
                if (_set.CurrentCount == 0) _set.Release();
        }

        public Task<bool> Wait(TimeSpan most, CancellationToken cancel)
        {
            return _set.WaitAsync(most, cancel);
        }
    }
}
