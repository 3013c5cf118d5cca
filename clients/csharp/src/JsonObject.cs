using System;
using System.Collections;
using System.Collections.Generic;

namespace Gamekeeper
{
    /// <summary>An object of JSON, in the order of its fields.</summary>
    public sealed class JsonObject : IEnumerable<KeyValuePair<string, object>>
    {
        private readonly List<string> _names = new List<string>();
        private readonly Dictionary<string, object> _values =
            new Dictionary<string, object>(StringComparer.Ordinal);

        /// <summary>How many fields it has.</summary>
        public int Count { get { return _names.Count; } }

        /// <summary>Reads a text; throws a FormatException if it is not an object.</summary>
        public static JsonObject Parse(string text)
        {
            return new JsonReader(text).ReadDocument() as JsonObject
                ?? throw new FormatException("The text is no JSON object.");
        }

        /// <summary>Sets a field; the last value of a name counts.</summary>
        public JsonObject Set(string name, object value)
        {
            if (!_values.ContainsKey(name)) _names.Add(name);
            _values[name] = value;
            return this;
        }

        /// <summary>Sets a field unless the value is null.</summary>
        public JsonObject SetIfAny(string name, object value)
        {
            return value == null ? this : Set(name, value);
        }

        /// <summary>The value as it was read: string, long, double, bool, JsonObject, list or null.</summary>
        public object Value(string name)
        {
            return _values.TryGetValue(name, out var value) ? value : null;
        }

        /// <summary>A string, or null.</summary>
        public string Text(string name) { return Value(name) as string; }

        /// <summary>A whole number, or null.</summary>
        public long? Number(string name) { return Value(name) as long?; }

        /// <summary>A number with or without a fraction, or null.</summary>
        public double? Fraction(string name)
        {
            var value = Value(name);
            return value is long whole ? whole : value as double?;
        }

        /// <summary>Whether the field is true.</summary>
        public bool Flag(string name) { return Value(name) as bool? ?? false; }

        /// <summary>A guid, or null.</summary>
        public Guid? Id(string name)
        {
            return Guid.TryParse(Text(name), out var id) ? id : (Guid?)null;
        }

        /// <summary>An object, or null.</summary>
        public JsonObject Object(string name) { return Value(name) as JsonObject; }

        /// <summary>The objects of a list; none if there is no such list.</summary>
        public IEnumerable<JsonObject> Objects(string name)
        {
            foreach (var one in List(name))
                if (one is JsonObject found) yield return found;
        }

        /// <summary>A list; empty if there is none.</summary>
        public IReadOnlyList<object> List(string name)
        {
            return Value(name) as IReadOnlyList<object> ?? new object[0];
        }

        /// <summary>The fields in their order.</summary>
        public IEnumerator<KeyValuePair<string, object>> GetEnumerator()
        {
            foreach (var name in _names)
                yield return new KeyValuePair<string, object>(name, _values[name]);
        }

        IEnumerator IEnumerable.GetEnumerator() { return GetEnumerator(); }

        /// <summary>The object as JSON, on one line.</summary>
        public override string ToString() { return JsonWriter.Write(this); }
    }
}
