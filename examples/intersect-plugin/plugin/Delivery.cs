using System;
using Gamekeeper;

namespace IntersectPlugin
{
    /// <summary>
    /// What the web shop sold: a custom command, {"deliver": {"item": …, "quantity": …}}, kept by
    /// Gamekeeper until the character joins. The answer to the command is the receipt.
    /// </summary>
    internal static class Delivery
    {
        /// <summary>Null if the player has it now, or why not.</summary>
        public static string Carry(IOnlinePlayer player, JsonObject payload)
        {
            var order = payload.Object("deliver");
            if (order == null) return "This server does not know that custom command.";
            var quantity = order.Number("quantity") ?? 1;
            if (!(order.Id("item") is Guid item) || quantity < 1 || quantity > int.MaxValue)
                return "The delivery is not one.";
            return player.TryGiveItem(item, (int)quantity) ? null : "There is no room for it.";
        }
    }
}
