using System;
using Gamekeeper;
using IntersectPlugin;

/// <summary>The engine's process: players log in and out as a test says.</summary>
internal static class EngineProgram
{
    private static void Main(string[] arguments)
    {
        var wanted = JsonObject.Parse(arguments[0]);
        var engine = new StandInEngine();
        var plugin = new GamekeeperPlugin(engine, new PluginSettings
        {
            Url = wanted.Text("url"),
            Key = wanted.Text("key"),
            ServerName = wanted.Text("name"),
            JournalFolder = wanted.Text("journal"),
        });
        plugin.Start();
        while (Console.ReadLine() is string line)
        {
            var order = JsonObject.Parse(line);
            var player = order.Id("player") ?? Guid.Empty;
            if (order.Text("do") == "login")
                engine.LogIn(new StandInPlayer(engine, player, order.Id("account") ?? Guid.Empty));
            else if (order.Text("do") == "logout") engine.LogOut(player);
            else break;
        }
        plugin.Stop();
        engine.Say("stopped", null, null);
    }
}
