using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Gamekeeper;

/// <summary>
/// A small game that a test plays: it reads what to do, a JSON object a line, and writes what it
/// hears. One thread ticks as a game's loop does; it also measures how long its calls take.
/// </summary>
internal static class Program
{
    private static readonly ConcurrentQueue<JsonObject> Orders = new ConcurrentQueue<JsonObject>();
    private static readonly Stopwatch Call = new Stopwatch();
    private static TimeSpan _longest;
    private static GameServer _server;

    private static int Main(string[] arguments)
    {
        var wanted = JsonObject.Parse(arguments[0]);
        try
        {
            _server = new GameServer(Options(wanted));
            _server.Start();
        }
        catch (Exception fault)
        {
            Say(new JsonObject().Set("notice", "fault").Set("type", fault.GetType().Name)
                .Set("message", fault.Message));
            return 1;
        }
        var reading = new Thread(Read) { IsBackground = true };
        reading.Start();
        while (Tick()) Thread.Sleep(10);
        return 0;
    }

    private static GameServerOptions Options(JsonObject wanted)
    {
        var options = new GameServerOptions
        {
            Url = wanted.Text("url"),
            Key = wanted.Text("key"),
            Name = wanted.Text("name"),
            JournalFolder = wanted.Text("journal"),
            LongPoll = wanted.Flag("longPoll"),
            EventsAfter = wanted.Number("eventsAfter"),
            EventKinds = wanted.Value("kinds") == null ? null : wanted.List("kinds").Cast<string>().ToList(),
        };
        if (wanted.Fraction("timeout") is double timeout) options.Timeout = TimeSpan.FromSeconds(timeout);
        if (wanted.Fraction("rejoin") is double rejoin) options.RejoinTime = TimeSpan.FromSeconds(rejoin);
        if (wanted.Number("most") is long most) options.MostPending = (int)most;
        if (wanted.Number("mostChat") is long mostChat) options.MostChatLines = (int)mostChat;
        return options;
    }

    private static void Read()
    {
        while (Console.ReadLine() is string line) Orders.Enqueue(JsonObject.Parse(line));
        Orders.Enqueue(new JsonObject().Set("do", "exit"));
    }

    private static bool Tick()
    {
        while (Orders.TryDequeue(out var order))
        {
            if (order.Text("do") == "exit") return false;
            try { Obey(order); }
            catch (Exception fault)
            {
                Say(new JsonObject().Set("notice", "fault").Set("type", fault.GetType().Name)
                    .Set("message", fault.Message));
            }
        }
        while (Timed(() => _server.TryDequeue(out var found) ? found : null) is Notice notice) Hear(notice);
        return true;
    }

    private static void Obey(JsonObject order)
    {
        switch (order.Text("do"))
        {
            case "online":
                Timed(() => { _server.SetOnline(order.List("players").Cast<string>().Select(Guid.Parse)); return 0; });
                break;
            case "bank":
                Timed(() => { _server.SetInBank(order.List("players").Cast<string>().Select(Guid.Parse)); return 0; });
                break;
            case "give":
                Give(order);
                break;
            case "client":
                _server.SetClient(order.Id("player").Value, order.Text("address"), order.Text("device"));
                break;
            case "chat":
                Chat(order);
                break;
            case "report":
                _server.Queue(new Transaction("report", order.Text("key")).Report(order.Id("player").Value,
                    order.Id("reported").Value, order.Text("category"), order.Text("text"),
                    order.List("messages").Cast<string>().Select(Guid.Parse).ToList()));
                break;
            case "sleep":
                Thread.Sleep(TimeSpan.FromSeconds(order.Fraction("seconds") ?? 0));
                break;
            case "takeover":
                _server.TakeOver();
                break;
            case "call":
                Patient(order);
                break;
            case "letters":
                _server.LettersAsync(order.Id("player").Value).ContinueWith(done => Shown(done.Result));
                break;
            case "claim":
                Claim(order.Id("player").Value, order.Id("letter").Value);
                break;
            case "redeem":
                Redeem(order.Id("player").Value, order.Text("code"));
                break;
            case "campaign":
                Tell("campaign", Campaign(order));
                break;
            case "stop":
                var all = _server.Stop(TimeSpan.FromSeconds(order.Fraction("seconds") ?? 10));
                Say(new JsonObject().Set("notice", "stopped").Set("all", all).Set("pending", _server.Pending)
                    .Set("longest", _longest.TotalMilliseconds));
                break;
        }
    }

    private static void Give(JsonObject order)
    {
        var written = new System.Collections.Generic.List<Task>();
        for (var left = order.Number("times") ?? 1; left > 0; left--)
        {
            var gift = new Transaction("a gift", order.Text("key"));
            if (order.Flag("take")) gift.Take(order.Id("player").Value, order.Id("item").Value, 1);
            else gift.Give(order.Id("player").Value, order.Id("item").Value, 1);
            if (order.Number("seq") is long seq) gift.Expect(order.Id("player").Value, seq);
            if (order.Flag("anywhere")) gift.Anywhere();
            written.Add(Timed(() => _server.Queue(gift)));
        }
        Task.WhenAll(written).ContinueWith(_ =>
            Say(new JsonObject().Set("notice", "written").Set("number", written.Count)));
    }

    private static void Chat(JsonObject order)
    {
        foreach (var message in order.List("messages").Cast<string>())
        {
            var line = new ChatLine(order.Id("player").Value, order.Text("channel"), message)
            {
                TargetId = order.Id("target"),
                Address = order.Text("address"),
            };
            var kept = Timed(() => _server.LogChat(line));
            Say(new JsonObject().Set("notice", "logged").Set("id", line.Id).Set("kept", kept));
        }
    }

    private static void Shown(System.Collections.Generic.IReadOnlyList<Letter> letters)
    {
        var shown = letters.Select(letter => (object)new JsonObject().Set("id", letter.Id)
            .Set("state", letter.State).Set("claimable", letter.IsClaimable).Set("read", letter.IsRead)
            .Set("subject", letter.Subject).Set("items", letter.Items.Select(item => (object)item.Quantity)));
        Say(new JsonObject().Set("notice", "letters").Set("letters", shown));
    }

    private static void Claim(Guid player, Guid letter)
    {
        _server.Queue(new Transaction("claim").Claim(player, letter).MarkRead(player, letter));
    }

    private static void Redeem(Guid player, string code)
    {
        _server.RedeemAsync(player, code).ContinueWith(done =>
        {
            var said = new JsonObject().Set("notice", "redeemed");
            if (!done.IsFaulted)
                Say(said.Set("player", done.Result.PlayerId).Set("letter", done.Result.LetterId)
                    .Set("campaign", done.Result.Campaign).Set("subject", done.Result.Subject)
                    .Set("items", done.Result.Items.Select(item => (object)item.Quantity)));
            else Say(said.Set("code", ((RefusalException)done.Exception.InnerException).Code));
        });
    }

    /// <summary>Creates a campaign, or does something with one.</summary>
    private static async Task<JsonObject> Campaign(JsonObject order)
    {
        var campaigns = _server.Campaigns;
        var how = order.Text("how");
        if (how == "create")
            return Shown(await campaigns.CreateAsync(order.Text("name"), order.Text("segment"),
                order.Object("work"), order.Text("reason"), order.Text("until")));
        if (how == "list")
            return new JsonObject().Set("names", (await campaigns.ListAsync()).Select(one => (object)one.Name));
        var id = order.Id("id").Value;
        switch (how)
        {
            case "start": return Shown(await campaigns.StartAsync(id));
            case "pause": return Shown(await campaigns.PauseAsync(id));
            case "resume": return Shown(await campaigns.ResumeAsync(id));
            case "stop": return Shown(await campaigns.StopAsync(id));
            case "reverse": return Shown(await campaigns.ReverseAsync(id, order.Text("reason")));
            case "recipients":
                var found = await campaigns.RecipientsAsync(id, order.Text("state"));
                return new JsonObject().Set("names", found.Select(one => (object)one.Name));
            default: return Shown(await campaigns.GetAsync(id));
        }
    }

    private static JsonObject Shown(Campaign one)
    {
        return new JsonObject().Set("id", one.Id).Set("state", one.State).Set("onJoin", one.IsOnJoin)
            .Set("recipients", one.Recipients).Set("done", one.Done).Set("reversed", one.Reversed);
    }

    private static void Tell(string notice, Task<JsonObject> call)
    {
        call.ContinueWith(done => Say(done.IsFaulted
            ? new JsonObject().Set("notice", notice).Set("code", ((RefusalException)done.Exception.InnerException).Code)
            : done.Result.Set("notice", notice)));
    }

    private static void Patient(JsonObject order)
    {
        _server.CallAsync(order.Text("method"), order.Text("path"), order.Object("body")).ContinueWith(done =>
        {
            var said = new JsonObject().Set("notice", "called");
            if (!done.IsFaulted) Say(said.Set("answer", done.Result));
            else if (done.Exception.InnerException is RefusalException refusal)
                Say(said.Set("code", refusal.Code).Set("status", refusal.Status).Set("message", refusal.Message)
                    .Set("type", refusal.GetType().Name).Set("request", refusal.RequestId));
            else Say(said.Set("type", done.Exception.InnerException.GetType().Name));
        });
    }

    private static void Hear(Notice notice)
    {
        var said = new JsonObject().Set("notice", notice.GetType().Name);
        if (notice is Outcome outcome)
            said.Set("key", outcome.Key).Set("status", outcome.Status).Set("replayed", outcome.Replayed)
                .Set("code", outcome.Code).Set("stale", outcome.IsStale).Set("fenced", outcome.IsFenced);
        else if (notice is GameEvent told)
            said.Set("seq", told.Seq).Set("kind", told.Kind).Set("player", told.PlayerId)
                .Set("total", told.Facts.Object("After")?.Number("total"));
        else if (notice is LeaseTaken taken) said.Set("id", taken.ServerId).Set("fence", taken.Fence);
        else if (notice is LeaseLost lost) said.Set("replaced", lost.IsReplaced).Set("why", lost.Why);
        else if (notice is PlayerJoined joined)
            said.Set("player", joined.PlayerId).Set("restrictions", joined.Restrictions.Select(one => one.Kind));
        else if (notice is JoinRefused refused) said.Set("player", refused.PlayerId).Set("code", refused.Code);
        else if (notice is EventsMissed missed) said.Set("code", missed.Code).Set("next", missed.Next);
        else if (notice is Trouble trouble) said.Set("what", trouble.What).Set("why", trouble.ToString());
        else if (notice is Command command) Carry(said, command);
        Say(said);
    }

    private static void Carry(JsonObject said, Command command)
    {
        said.Set("id", command.Id).Set("kind", command.Kind).Set("player", command.PlayerId)
            .Set("payload", command.Payload);
        if (command.Payload.Flag("hold")) return;
        if (command.Kind == "kill") command.Fail("It is immortal.");
        else command.Done("done");
        said.Set("again", command.Done("twice") || command.Fail("twice"));
    }

    private static T Timed<T>(Func<T> call)
    {
        Call.Restart();
        try { return call(); }
        finally { if (Call.Elapsed > _longest) _longest = Call.Elapsed; }
    }

    private static void Say(JsonObject said)
    {
        lock (Orders)
        {
            Console.WriteLine(said.ToString());
            Console.Out.Flush();
        }
    }
}
