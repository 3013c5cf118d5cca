using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Gamekeeper;

namespace IntersectPlugin
{
    /// <summary>
    /// Mutes in the engine who is muted in Gamekeeper. Bans need nothing here: Gamekeeper refuses the
    /// join, and sends a kick to who is in the game.
    /// </summary>
    internal sealed class SanctionHandler
    {
        private readonly IGameEngine _engine;
        private readonly Dictionary<Guid, HashSet<string>> _mutes = new Dictionary<Guid, HashSet<string>>();

        public SanctionHandler(IGameEngine engine) { _engine = engine; }

        /// <summary>Who joins may have been muted before, or not any longer.</summary>
        public void Hear(PlayerJoined joined)
        {
            var player = _engine.Find(joined.PlayerId);
            if (player == null) return;
            var had = _mutes.Remove(joined.PlayerId);
            var mutes = joined.Restrictions.Where(one => one.Kind == "mute").ToList();
            foreach (var mute in mutes) Mute(player, mute.Code, mute.Message, mute.Until);
            if (had && mutes.Count == 0) player.Unmute();
        }

        public void Hear(GameEvent told)
        {
            var about = told.Facts.Object("After");
            if (about?.Text("kind") != "mute") return;
            foreach (var player in _engine.OnlinePlayers.Where(one => IsAbout(told, one)))
            {
                if (told.Kind == "sanctions.impose")
                    Mute(player, about.Text("code"), about.Text("message"), about.Text("ends_at"));
                else if (_mutes.TryGetValue(player.Id, out var codes) && codes.Remove(about.Text("code")) && codes.Count == 0)
                    player.Unmute();
            }
        }

        private static bool IsAbout(GameEvent told, IOnlinePlayer player)
        {
            // A sanction is on one character, or on an account with all its characters.
            return told.PlayerId == null ? told.Facts.Id("UserId") == player.AccountId : told.PlayerId == player.Id;
        }

        private void Mute(IOnlinePlayer player, string code, string reason, string until)
        {
            if (!_mutes.TryGetValue(player.Id, out var codes)) _mutes[player.Id] = codes = new HashSet<string>();
            codes.Add(code);
            player.Mute(reason ?? "", Read(until));
        }

        private static DateTime? Read(string until)
        {
            var style = DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal;
            return DateTime.TryParse(until, CultureInfo.InvariantCulture, style, out var time)
                ? time : (DateTime?)null;
        }
    }
}
