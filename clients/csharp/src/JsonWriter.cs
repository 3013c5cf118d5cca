using System;
using System.Collections;
using System.Globalization;
using System.Text;

namespace Gamekeeper
{
    /// <summary>Writes JSON on one line, so that a line of a journal is one record.</summary>
    internal static class JsonWriter
    {
        public static string Write(object value)
        {
            var text = new StringBuilder();
            Write(text, value);
            return text.ToString();
        }

        private static void Write(StringBuilder text, object value)
        {
            if (value == null) text.Append("null");
            else if (value is string words) WriteText(text, words);
            else if (value is bool flag) text.Append(flag ? "true" : "false");
            else if (value is Guid id) text.Append('"').Append(id.ToString("D")).Append('"');
            else if (value is double number) WriteNumber(text, number);
            else if (value is JsonObject found) WriteObject(text, found);
            else if (value is IEnumerable list) WriteList(text, list);
            else if (value is int || value is long || value is short || value is byte)
                text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            else throw new ArgumentException("JSON has no " + value.GetType().Name + ".");
        }

        private static void WriteNumber(StringBuilder text, double number)
        {
            if (double.IsNaN(number) || double.IsInfinity(number))
                throw new ArgumentException("JSON has no such number.");
            text.Append(number.ToString("R", CultureInfo.InvariantCulture));
        }

        private static void WriteObject(StringBuilder text, JsonObject found)
        {
            var between = "{";
            foreach (var field in found)
            {
                text.Append(between);
                WriteText(text, field.Key);
                text.Append(':');
                Write(text, field.Value);
                between = ",";
            }
            text.Append(found.Count == 0 ? "{}" : "}");
        }

        private static void WriteList(StringBuilder text, IEnumerable list)
        {
            text.Append('[');
            var first = true;
            foreach (var one in list)
            {
                if (!first) text.Append(',');
                Write(text, one);
                first = false;
            }
            text.Append(']');
        }

        private static void WriteText(StringBuilder text, string words)
        {
            text.Append('"');
            foreach (var letter in words)
            {
                if (letter == '"' || letter == '\\') text.Append('\\').Append(letter);
                // Half of a pair would not survive UTF-8; the escape does.
                else if (letter < ' ' || char.IsSurrogate(letter))
                    text.Append("\\u").Append(((int)letter).ToString("x4", CultureInfo.InvariantCulture));
                else text.Append(letter);
            }
            text.Append('"');
        }
    }
}
