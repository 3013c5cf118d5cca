using System;
using System.IO;

namespace Gamekeeper
{
    /// <summary>Keeps a second process from the same journals. It ends with the process, also by a crash.</summary>
    internal sealed class JournalLock : IDisposable
    {
        private readonly FileStream _file;

        public JournalLock(string folder)
        {
            var path = Path.Combine(folder, "lock");
            try
            {
                // FileShare.None is enough on Windows and .NET; Mono needs the lock of the file.
                _file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
                try { _file.Lock(0, 1); }
                catch (PlatformNotSupportedException) { }
            }
            catch (IOException fault)
            {
                _file?.Dispose();
                throw new JournalInUseException(path, fault);
            }
        }

        public void Dispose() { _file.Dispose(); }
    }
}
