using System;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Ends a wait in time, also where the platform does not: a read of a half-open socket.</summary>
    internal static class Patience
    {
        public static async Task<T> Within<T>(Task<T> work, TimeSpan most, CancellationToken cancel)
        {
            using (var timer = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                var first = await Task.WhenAny(work, Task.Delay(most, timer.Token)).ConfigureAwait(false);
                timer.Cancel();
                if (first == work) return await work.ConfigureAwait(false);
                Forget(work);
                cancel.ThrowIfCancellationRequested();
                throw new TimeoutException("No answer in " + most.TotalSeconds + " seconds.");
            }
        }

        /// <summary>Nobody waits for it any longer; its fault is not one of the program.</summary>
        public static void Forget(Task work)
        {
            work.ContinueWith(done => done.Exception, CancellationToken.None,
                TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        }
    }
}
