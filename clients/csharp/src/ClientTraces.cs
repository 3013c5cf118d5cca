using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Sockets;

namespace Gamekeeper
{
    /// <summary>Where players are connected from, until they leave.</summary>
    internal sealed class ClientTraces
    {
        private const int MaxDeviceIdLength = 128;
        private readonly ConcurrentDictionary<Guid, Trace> _known = new ConcurrentDictionary<Guid, Trace>();

        /// <summary>
        /// A player's client chooses the device id: one that the service would refuse is left out, or it
        /// would keep everybody from joining.
        /// </summary>
        public void Set(Guid player, string address, string deviceId)
        {
            _known[player] = new Trace(new JsonObject().Set("player", player)
                .SetIfAny("address", Canonical(address))
                .SetIfAny("deviceid", IsUsable(deviceId) ? deviceId : null));
        }

        /// <summary>What is known of these players, for a join.</summary>
        public List<JsonObject> Take(IEnumerable<Guid> players)
        {
            var found = new List<JsonObject>();
            foreach (var player in players)
            {
                if (!_known.TryGetValue(player, out var trace)) continue;
                trace.IsSent = true;
                found.Add(trace.Body);
            }
            return found;
        }

        /// <summary>These have left. A trace that was not sent is of a player who is coming back.</summary>
        public void Forget(IEnumerable<Guid> players)
        {
            foreach (var player in players)
                if (_known.TryGetValue(player, out var trace) && trace.IsSent)
                    ((ICollection<KeyValuePair<Guid, Trace>>)_known).Remove(
                        new KeyValuePair<Guid, Trace>(player, trace));
        }

        /// <summary>Without the zone of IPv6 and abbreviations of IPv4; null if it is no address.</summary>
        private static string Canonical(string address)
        {
            if (!IPAddress.TryParse(address ?? "", out var found)) return null;
            var isKnown = found.AddressFamily == AddressFamily.InterNetwork
                || found.AddressFamily == AddressFamily.InterNetworkV6;
            return isKnown ? new IPAddress(found.GetAddressBytes()).ToString() : null;
        }

        /// <summary>Visible characters of ASCII: what is printable elsewhere differs between versions of Unicode.</summary>
        private static bool IsUsable(string deviceId)
        {
            return !string.IsNullOrEmpty(deviceId) && deviceId.Length <= MaxDeviceIdLength
                && deviceId.All(letter => letter >= ' ' && letter <= '~');
        }

        private sealed class Trace
        {
            public Trace(JsonObject body) { Body = body; }

            public JsonObject Body { get; }

            public bool IsSent { get; set; }
        }
    }
}
