using System;

namespace Gamekeeper
{
    /// <summary>A recipient of a campaign, and the outcome.</summary>
    public sealed class CampaignRecipient
    {
        internal CampaignRecipient(JsonObject said)
        {
            PlayerId = said.Id("PlayerId") ?? Guid.Empty;
            Name = said.Text("Name");
            State = said.Text("State") ?? "";
            Code = said.Text("Code");
        }

        /// <summary>The id of the character.</summary>
        public Guid PlayerId { get; }

        /// <summary>Its name; null if it no longer exists.</summary>
        public string Name { get; }

        /// <summary>waiting, done, skipped, refused, reversed or kept.</summary>
        public string State { get; }

        /// <summary>The code of the error, if it was refused or could not be reversed.</summary>
        public string Code { get; }
    }
}
