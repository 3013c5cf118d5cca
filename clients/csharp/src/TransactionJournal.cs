using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Gamekeeper
{
    /// <summary>The transactions without an outcome, on disk before they are sent.</summary>
    internal sealed class TransactionJournal : IDisposable
    {
        private const long Large = 4 * 1024 * 1024;
        private readonly object _gate = new object();
        private readonly Journal _file;
        private readonly LinkedList<string> _lines = new LinkedList<string>();
        private readonly Dictionary<string, LinkedListNode<string>> _open =
            new Dictionary<string, LinkedListNode<string>>();
        private long _size;

        public TransactionJournal(string folder)
        {
            _file = new Journal(Path.Combine(folder, "transactions.journal"));
            Left = Recall();
            _file.Rewrite(_lines);
        }

        /// <summary>What the process before left, in its order.</summary>
        public IReadOnlyList<Transaction> Left { get; }

        public int Damaged { get { return _file.Damaged; } }

        public void Add(IReadOnlyList<Transaction> queued)
        {
            lock (_gate)
            {
                _file.Append(queued.Select(one => one.Line()));
                foreach (var one in queued) Note(one.Key, one.Line());
            }
        }

        public void Settle(IReadOnlyList<string> keys)
        {
            lock (_gate)
            {
                // Known from now on, also if the disk is full: the next process sends them
                // again, and is told that they were done.
                foreach (var key in keys) Drop(key);
                _file.Append(new[] { new JsonObject().Set("done", keys).ToString() });
                if (_file.Length > Large && _file.Length > 2 * _size) _file.Rewrite(_lines);
            }
        }

        public void Dispose()
        {
            lock (_gate) _file.Dispose();
        }

        private List<Transaction> Recall()
        {
            foreach (var line in _file.Load())
            {
                foreach (var key in line.List("done").OfType<string>()) Drop(key);
                if (line.Object("t") == null) continue;
                var read = Transaction.Read(line);
                Note(read.Key, read.Line());
            }
            return _lines.Select(line => Transaction.Read(JsonObject.Parse(line))).ToList();
        }

        private void Note(string key, string line)
        {
            Drop(key);
            _open[key] = _lines.AddLast(line);
            _size += line.Length;
        }

        private void Drop(string key)
        {
            if (!_open.TryGetValue(key, out var node)) return;
            _open.Remove(key);
            _lines.Remove(node);
            _size -= node.Value.Length;
        }
    }
}
