using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace Gamekeeper
{
    /// <summary>
    /// A file of lines that only grows (write-ahead log). What Append was given is on the disk when
    /// it returns. A line that a crash tore is dropped when the file is opened again.
    /// </summary>
    internal sealed class Journal : IDisposable
    {
        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false);
        private readonly string _path;
        private FileStream _file;
        private long _good;

        public Journal(string path) { _path = path; }

        /// <summary>The length of all that was written whole.</summary>
        public long Length { get { return _good; } }

        /// <summary>Lines in the middle that nobody can read: not of a crash, but of a broken disk.</summary>
        public int Damaged { get; private set; }

        /// <summary>The records of the file, oldest first.</summary>
        public List<JsonObject> Load()
        {
            var found = new List<JsonObject>();
            if (!File.Exists(_path)) return found;
            var lines = Utf8.GetString(File.ReadAllBytes(_path)).Split('\n');
            // After the last line break comes nothing, or what was torn.
            foreach (var line in lines.Take(lines.Length - 1))
            {
                try { found.Add(JsonObject.Parse(line)); }
                catch (FormatException) { Damaged++; }
            }
            if (Damaged > 0) File.Copy(_path, _path + ".damaged", true);
            return found;
        }

        /// <summary>Replaces the file by these lines. After a crash there is the old one or the new one.</summary>
        public void Rewrite(IEnumerable<string> lines)
        {
            var fresh = _path + ".new";
            var bytes = Bytes(lines);
            using (var file = new FileStream(fresh, FileMode.Create, FileAccess.Write, FileShare.Read))
            {
                file.Write(bytes, 0, bytes.Length);
                file.Flush(true);
            }
            _file?.Dispose();
            _file = null;
            if (File.Exists(_path)) File.Replace(fresh, _path, null);
            else File.Move(fresh, _path);
            _good = bytes.Length;
        }

        /// <summary>Writes lines, all or none; throws if the disk is full, and may be tried again.</summary>
        public void Append(IEnumerable<string> lines)
        {
            var bytes = Bytes(lines);
            if (bytes.Length == 0) return;
            try
            {
                if (_file == null) Open();
                _file.Write(bytes, 0, bytes.Length);
                _file.Flush(true);
            }
            catch
            {
                // Half a line may be there. Open cuts it off before the next is written.
                Discard();
                throw;
            }
            _good += bytes.Length;
        }

        public void Dispose() { Discard(); }

        private void Open()
        {
            _file = new FileStream(_path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.Read, 1);
            if (_file.Length > _good) _file.SetLength(_good);
            _file.Seek(_good, SeekOrigin.Begin);
        }

        private void Discard()
        {
            try { _file?.Dispose(); }
            catch (IOException) { }
            _file = null;
        }

        private static byte[] Bytes(IEnumerable<string> lines)
        {
            var text = new StringBuilder();
            foreach (var line in lines) text.Append(line).Append('\n');
            return Utf8.GetBytes(text.ToString());
        }
    }
}
