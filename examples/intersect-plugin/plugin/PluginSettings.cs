namespace IntersectPlugin
{
    /// <summary>What stands in the plugin's configuration file.</summary>
    public sealed class PluginSettings
    {
        /// <summary>The address of Gamekeeper.</summary>
        public string Url { get; set; }

        /// <summary>The API key of this game server.</summary>
        public string Key { get; set; }

        /// <summary>The name of this game server.</summary>
        public string ServerName { get; set; }

        /// <summary>A folder that only this server uses.</summary>
        public string JournalFolder { get; set; }
    }
}
