using System;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Reads server-sent events, one at a time.</summary>
    internal sealed class EventStreamReader : IDisposable
    {
        private readonly StreamReader _lines;

        public EventStreamReader(StreamReader lines) { _lines = lines; }

        public string Id { get; private set; }

        public string Event { get; private set; }

        public string Data { get; private set; }

        /// <summary>False at the end; a message that is not whole is not one.</summary>
        public async Task<bool> Read(TimeSpan quiet, CancellationToken cancel)
        {
            var data = new StringBuilder();
            Id = Event = null;
            while (true)
            {
                var line = await Patience.Within(_lines.ReadLineAsync(), quiet, cancel).ConfigureAwait(false);
                if (line == null) return false;
                if (line.Length == 0) break;
                var colon = line.IndexOf(':');
                if (colon == 0) continue;
                var name = colon < 0 ? line : line.Substring(0, colon);
                var value = colon < 0 ? "" : line.Substring(colon + 1);
                if (value.StartsWith(" ", StringComparison.Ordinal)) value = value.Substring(1);
                if (name == "id") Id = value;
                else if (name == "event") Event = value;
                else if (name == "data") data.Append(data.Length > 0 ? "\n" : "").Append(value);
            }
            Data = data.ToString();
            return true;
        }

        public void Dispose() { _lines.Dispose(); }
    }
}
