// Gives an item twice under one key with the generated client, and says what came back.

using System;
using System.Linq;
using Gamekeeper.Api;
using Gamekeeper.Client;
using Gamekeeper.Model;
using Newtonsoft.Json;

public static class Program
{
    public static void Main(string[] arguments)
    {
        string url = arguments[0], key = arguments[1], player = arguments[2], order = arguments[5];
        Guid item = new Guid(arguments[3]), variable = new Guid(arguments[4]);
        var configuration = new Configuration { BasePath = url, AccessToken = key };
        var players = new PlayersApi(configuration);

        for (int time = 0; time < 2; time++)
        {
            var given = players.GiveItemWithHttpInfo(
                player, new GiveItem(item, 5, true), idempotencyKey: order, xReason: "order 5512");
            Console.WriteLine($"{given.Data.Id} {given.Data.Quantity.Inventory} "
                + given.Headers.Any(one => one.Key.ToLower() == "idempotency-replayed"));
        }
        foreach (var slot in players.ListInventory(player))
            if (slot.Quantity > 0)
                Console.WriteLine($"{slot.ItemId} {slot.Quantity} {slot.BagId == null}");
        var set = players.SetVariable(player, variable, new SetVariable(42L));
        Console.WriteLine($"{set.VariableId} {set.Value}");
        try
        {
            players.GiveItem(player, new GiveItem(item, 6, true), idempotencyKey: order);
        }
        catch (ApiException refused)
        {
            var failure = JsonConvert.DeserializeObject<Failure>((string)refused.ErrorContent);
            Console.WriteLine($"{refused.ErrorCode} {failure.Code == ErrorCode.IdempotencyKeyReused}");
        }
    }
}
