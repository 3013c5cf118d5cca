using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Gamekeeper
{
    /// <summary>Reads JSON: objects, lists, strings, long, double, bool and null.</summary>
    internal sealed class JsonReader
    {
        // A hostile text of many brackets must not end the process by a full stack.
        private const int Deepest = 64;
        private readonly string _text;
        private int _at;

        public JsonReader(string text)
        {
            _text = text ?? throw new FormatException("There is no text.");
        }

        public object ReadDocument()
        {
            var value = ReadValue(0);
            Skip();
            if (_at < _text.Length) throw Wrong();
            return value;
        }

        private object ReadValue(int depth)
        {
            if (depth > Deepest) throw new FormatException("The JSON is nested too deeply.");
            Skip();
            switch (Peek())
            {
                case '{': return ReadObject(depth);
                case '[': return ReadList(depth);
                case '"': return ReadText();
                case 't': return ReadWord("true", true);
                case 'f': return ReadWord("false", false);
                case 'n': return ReadWord("null", null);
                default: return ReadNumber();
            }
        }

        private JsonObject ReadObject(int depth)
        {
            var found = new JsonObject();
            _at++;
            if (Ends('}')) return found;
            do
            {
                Skip();
                if (Peek() != '"') throw Wrong();
                var name = ReadText();
                Skip();
                Take(':');
                found.Set(name, ReadValue(depth + 1));
            }
            while (Goes('}'));
            return found;
        }

        private List<object> ReadList(int depth)
        {
            var found = new List<object>();
            _at++;
            if (Ends(']')) return found;
            do found.Add(ReadValue(depth + 1)); while (Goes(']'));
            return found;
        }

        private string ReadText()
        {
            var text = new StringBuilder();
            for (_at++; Peek() != '"'; _at++)
            {
                if (_text[_at] < ' ') throw Wrong();
                text.Append(_text[_at] == '\\' ? ReadEscape() : _text[_at]);
            }
            _at++;
            return text.ToString();
        }

        private char ReadEscape()
        {
            _at++;
            var letter = Peek();
            if (letter == 'u')
            {
                if (_at + 4 >= _text.Length) throw Wrong();
                var digits = _text.Substring(_at + 1, 4);
                if (!ushort.TryParse(digits, NumberStyles.AllowHexSpecifier,
                    CultureInfo.InvariantCulture, out var code)) throw Wrong();
                _at += 4;
                return (char)code;
            }
            var which = "\"\\/bfnrt".IndexOf(letter);
            if (which < 0) throw Wrong();
            return "\"\\/\b\f\n\r\t"[which];
        }

        private object ReadNumber()
        {
            var begin = _at;
            while (_at < _text.Length && "+-.eE0123456789".IndexOf(_text[_at]) >= 0) _at++;
            var text = _text.Substring(begin, _at - begin);
            if (long.TryParse(text, NumberStyles.AllowLeadingSign,
                CultureInfo.InvariantCulture, out var whole)) return whole;
            if (double.TryParse(text, NumberStyles.Float,
                CultureInfo.InvariantCulture, out var number)) return number;
            throw Wrong();
        }

        private object ReadWord(string word, object value)
        {
            if (string.CompareOrdinal(_text, _at, word, 0, word.Length) != 0) throw Wrong();
            _at += word.Length;
            return value;
        }

        private bool Ends(char bracket)
        {
            Skip();
            if (Peek() != bracket) return false;
            _at++;
            return true;
        }

        private bool Goes(char bracket)
        {
            if (Ends(bracket)) return false;
            Take(',');
            return true;
        }

        private void Take(char sign)
        {
            if (Peek() != sign) throw Wrong();
            _at++;
        }

        private char Peek()
        {
            if (_at >= _text.Length) throw Wrong();
            return _text[_at];
        }

        private void Skip()
        {
            while (_at < _text.Length && " \t\r\n\uFEFF".IndexOf(_text[_at]) >= 0) _at++;
        }

        private FormatException Wrong()
        {
            return new FormatException("The JSON is wrong at character " + _at + ".");
        }
    }
}
