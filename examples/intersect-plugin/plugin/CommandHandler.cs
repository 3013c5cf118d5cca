using System;
using Gamekeeper;

namespace IntersectPlugin
{
    /// <summary>Carries out commands, and answers each once.</summary>
    internal sealed class CommandHandler
    {
        private readonly IGameEngine _engine;

        public CommandHandler(IGameEngine engine) { _engine = engine; }

        public void Carry(Command command)
        {
            try
            {
                var why = command.PlayerId == null ? ToServer(command) : ToPlayer(command);
                if (why == null) command.Done();
                else command.Fail(why);
            }
            catch (Exception fault)
            {
                // It may have been done in part; who sent it must look.
                _engine.Log("gamekeeper: " + command.Kind + ": " + fault);
                command.Fail("The game failed: " + fault.GetType().Name + ".");
            }
        }

        /// <summary>Null if it was done, or why not.</summary>
        private string ToServer(Command command)
        {
            if (command.Kind != "message") return "This server does not know '" + command.Kind + "'.";
            var text = command.Payload.Text("Text");
            var color = command.Payload.Text("Color");
            if (!(command.Payload.Id("MapId") is Guid map))
            {
                _engine.SendToAll(text, color);
                return null;
            }
            return _engine.SendToMap(map, text, color) ? null : "There is no such map.";
        }

        private string ToPlayer(Command command)
        {
            var player = _engine.Find(command.PlayerId.Value);
            if (player == null) return "That player is not here.";
            var payload = command.Payload;
            switch (command.Kind)
            {
                case "kick":
                    player.Kick(payload.Text("Text") ?? "");
                    return null;
                case "kill":
                    player.Kill();
                    return null;
                case "warp":
                    return Warp(player, payload);
                case "message":
                    player.Send(payload.Text("Text"), payload.Text("Color"));
                    return null;
                case "custom":
                    return Delivery.Carry(player, payload);
                default:
                    return "This server does not know '" + command.Kind + "'.";
            }
        }

        private static string Warp(IOnlinePlayer player, JsonObject payload)
        {
            if (!(payload.Id("MapId") is Guid map)) return "The map is missing.";
            var x = (int)(payload.Number("X") ?? 0);
            var y = (int)(payload.Number("Y") ?? 0);
            return player.Warp(map, x, y) ? null : "There is no such place.";
        }
    }
}
