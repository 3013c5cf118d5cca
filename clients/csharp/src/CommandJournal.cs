using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Gamekeeper
{
    /// <summary>
    /// Which commands were begun, and what became of them. An id is on the disk before the game sees
    /// the command, so it is carried out at most once: after a crash between the two nobody knows, and
    /// it is answered as failed.
    /// </summary>
    internal sealed class CommandJournal : IDisposable
    {
        private const int Remembered = 10000;
        private const int MostFences = 16;
        private const long Large = 4 * 1024 * 1024;
        private const string Interrupted =
            "The server stopped while it carried this out; it may have been done.";
        private readonly object _gate = new object();
        private readonly Journal _file;
        private readonly Dictionary<string, CommandAnswer> _known = new Dictionary<string, CommandAnswer>();
        private readonly Queue<string> _order = new Queue<string>();
        private readonly HashSet<string> _running = new HashSet<string>();
        private readonly List<long> _fences = new List<long>();

        public CommandJournal(string folder)
        {
            _file = new Journal(Path.Combine(folder, "commands.journal"));
            foreach (var line in _file.Load()) Note(line);
            _file.Rewrite(Lines());
        }

        public int Damaged { get { return _file.Damaged; } }

        /// <summary>The leases before this one, whose journal this is.</summary>
        public List<long> Before(long fence)
        {
            lock (_gate) return _fences.Where(one => one != fence).ToList();
        }

        public void Register(long fence)
        {
            lock (_gate)
                if (!_fences.Contains(fence)) Write(new JsonObject().Set("fence", fence));
        }

        /// <summary>Of these, those to carry out now: the others have begun before.</summary>
        public HashSet<string> Begin(IEnumerable<string> ids)
        {
            lock (_gate)
            {
                var fresh = ids.Where(id => !_known.ContainsKey(id)).Distinct().ToList();
                Write(fresh.Select(id => new JsonObject().Set("id", id)).ToArray());
                foreach (var id in fresh) _running.Add(id);
                return new HashSet<string>(fresh);
            }
        }

        public void Finish(string id, CommandAnswer answer)
        {
            lock (_gate)
            {
                _running.Remove(id);
                _known[id] = answer;
                Write(Line(id, answer));
                if (_file.Length > Large) _file.Rewrite(Lines());
            }
        }

        /// <summary>What became of a command that has begun; null while the game has it.</summary>
        public CommandAnswer Outcome(string id)
        {
            lock (_gate)
            {
                if (_running.Contains(id) || !_known.TryGetValue(id, out var answer)) return null;
                return answer ?? new CommandAnswer(false, Interrupted);
            }
        }

        public void Dispose()
        {
            lock (_gate) _file.Dispose();
        }

        private void Write(params JsonObject[] lines)
        {
            _file.Append(lines.Select(line => line.ToString()));
            foreach (var line in lines) Note(line);
        }

        private void Note(JsonObject line)
        {
            if (line.Number("fence") is long fence)
            {
                _fences.Add(fence);
                if (_fences.Count > MostFences) _fences.RemoveAt(0);
            }
            if (!(line.Text("id") is string id)) return;
            if (!_known.ContainsKey(id)) _order.Enqueue(id);
            _known[id] = line.Value("done") is bool done ? new CommandAnswer(done, line.Text("text")) : null;
            while (_order.Count > Remembered) _known.Remove(_order.Dequeue());
        }

        private IEnumerable<string> Lines()
        {
            return _fences.Select(fence => new JsonObject().Set("fence", fence).ToString())
                .Concat(_order.Select(id => Line(id, _known[id]).ToString()));
        }

        private static JsonObject Line(string id, CommandAnswer answer)
        {
            var line = new JsonObject().Set("id", id);
            return answer == null ? line : line.Set("done", answer.IsDone).Set("text", answer.Text);
        }
    }
}
