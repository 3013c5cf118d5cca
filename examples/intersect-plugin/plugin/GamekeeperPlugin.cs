using System;
using System.Linq;
using System.Threading;
using Gamekeeper;

namespace IntersectPlugin
{
    /// <summary>
    /// An agent in an Intersect server, which stays the master of its characters: it reports who is
    /// online, carries out commands of the staff, and hands out what the web shop sold.
    /// </summary>
    public sealed class GamekeeperPlugin
    {
        private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);
        private static readonly TimeSpan Between = TimeSpan.FromSeconds(1);
        private readonly IGameEngine _engine;
        private readonly GameServer _server;
        private readonly CommandHandler _commands;
        private readonly SanctionHandler _sanctions;
        private readonly ManualResetEventSlim _stopping = new ManualResetEventSlim();
        private Thread _thread;

        /// <summary>OnBootstrap: nothing is sent yet.</summary>
        public GamekeeperPlugin(IGameEngine engine, PluginSettings settings)
        {
            _engine = engine;
            _commands = new CommandHandler(engine);
            _sanctions = new SanctionHandler(engine);
            _server = new GameServer(new GameServerOptions
            {
                Url = settings.Url,
                Key = settings.Key,
                Name = settings.ServerName,
                JournalFolder = settings.JournalFolder,
                EventKinds = new[] { "sanctions.impose", "sanctions.lift" },
            });
        }

        /// <summary>OnStart. The engine calls no plugin on its tick, so the plugin has a thread of its own.</summary>
        public void Start()
        {
            _server.Start();
            _thread = new Thread(Run) { IsBackground = true, Name = "Gamekeeper" };
            _thread.Start();
        }

        /// <summary>OnStop: ten seconds at most, if the service is away.</summary>
        public void Stop()
        {
            _stopping.Set();
            _thread?.Join(Between);
            _server.Stop();
        }

        private void Run()
        {
            for (var tick = 0; !_stopping.Wait(Pause); tick++)
            {
                try
                {
                    if (tick % 10 == 0) Report();
                    while (_server.TryDequeue(out var notice)) Hear(notice);
                }
                catch (Exception fault)
                {
                    // An engine that fails once must not end the agent.
                    _engine.Log("gamekeeper: " + fault);
                }
            }
        }

        /// <summary>The library sends only the differences.</summary>
        private void Report()
        {
            _server.SetOnline(_engine.OnlinePlayers.Select(one => one.Id).ToList());
        }

        private void Hear(Notice notice)
        {
            if (notice is Command command)
            {
                _commands.Carry(command);
                // At once: who is back within the second must join again, and may be refused.
                if (command.Kind == "kick") Report();
            }
            else if (notice is GameEvent told) _sanctions.Hear(told);
            else if (notice is PlayerJoined joined) _sanctions.Hear(joined);
            else if (notice is JoinRefused refused)
                _engine.Find(refused.PlayerId)?.Kick(refused.Message);
            else if (notice is LeaseLost lost && lost.IsReplaced)
                _engine.Log("gamekeeper: another process has this server's name; the agent is idle");
            else if (notice is Trouble trouble) _engine.Log("gamekeeper: " + trouble);
        }
    }
}
