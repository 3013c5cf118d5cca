using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>
    /// Campaigns, for tools of game masters in the game: GameServer.Campaigns. Reading needs the scope
    /// campaigns.read, all else campaigns.manage and the scope of the work. All methods throw as CallAsync.
    /// </summary>
    public sealed class Campaigns
    {
        private const string Root = "/api/v1/campaigns";
        private readonly GameServer _server;

        internal Campaigns(GameServer server) { _server = server; }

        /// <summary>The newest campaigns, at most 100.</summary>
        public async Task<IReadOnlyList<Campaign>> ListAsync(int most = 20)
        {
            var page = await _server.CallAsync("GET", Root + "?limit=" + most).ConfigureAwait(false);
            return page.Objects("Values").Select(said => new Campaign(said)).ToList();
        }

        /// <summary>One campaign, and how far it is.</summary>
        public async Task<Campaign> GetAsync(Guid campaign)
        {
            return new Campaign(await _server.CallAsync("GET", PathOf(campaign)).ConfigureAwait(false));
        }

        /// <summary>
        /// Creates a campaign for the members of a segment. It collects its recipients; nothing happens to
        /// them before StartAsync. The work is that of the API: for a letter its kind, subject and items. With
        /// until, an instant in ISO 8601, recipients get the letter when they join a game server before it.
        /// </summary>
        public async Task<Campaign> CreateAsync(string name, string segment, JsonObject work, string reason = null,
            string until = null, string idempotencyKey = null)
        {
            var body = new JsonObject().Set("name", name).Set("segment", segment).Set("work", work)
                .SetIfAny("reason", reason);
            if (until != null) body.Set("onjoin", true).Set("endsat", until);
            var said = await _server.CallAsync("POST", Root, body, idempotencyKey).ConfigureAwait(false);
            return new Campaign(said);
        }

        /// <summary>
        /// Starts a campaign that is ready. Beyond the limits of the key, a RefusalException says that it waits
        /// for approval.
        /// </summary>
        public Task<Campaign> StartAsync(Guid campaign, string reason = null)
        {
            return Move(campaign, "start", reason);
        }

        /// <summary>Pauses a running campaign; recipients who had their turn keep what they got.</summary>
        public Task<Campaign> PauseAsync(Guid campaign, string reason = null)
        {
            return Move(campaign, "pause", reason);
        }

        /// <summary>Continues a paused campaign.</summary>
        public Task<Campaign> ResumeAsync(Guid campaign, string reason = null)
        {
            return Move(campaign, "resume", reason);
        }

        /// <summary>Ends a campaign for good; recipients who had their turn keep what they got.</summary>
        public Task<Campaign> StopAsync(Guid campaign, string reason = null)
        {
            return Move(campaign, "stop", reason);
        }

        /// <summary>Undoes a campaign for every recipient; the worker does it.</summary>
        public Task<Campaign> ReverseAsync(Guid campaign, string reason = null)
        {
            return Move(campaign, "reverse", reason);
        }

        /// <summary>All recipients, by id, or only those in one state, such as kept.</summary>
        public async Task<IReadOnlyList<CampaignRecipient>> RecipientsAsync(Guid campaign, string state = null)
        {
            var path = PathOf(campaign) + "/recipients?limit=100" + (state == null ? "" : "&state=" + state);
            var recipients = new List<CampaignRecipient>();
            string next = null;
            do
            {
                var more = next == null ? "" : "&cursor=" + next;
                var page = await _server.CallAsync("GET", path + more).ConfigureAwait(false);
                recipients.AddRange(page.Objects("Values").Select(said => new CampaignRecipient(said)));
                next = page.Text("Next");
            }
            while (next != null);
            return recipients;
        }

        private async Task<Campaign> Move(Guid campaign, string how, string reason)
        {
            var body = new JsonObject().SetIfAny("reason", reason);
            var said = await _server.CallAsync("POST", PathOf(campaign) + "/" + how, body).ConfigureAwait(false);
            return new Campaign(said);
        }

        private static string PathOf(Guid campaign) { return Root + "/" + campaign.ToString("D"); }
    }
}
