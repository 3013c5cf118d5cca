namespace Gamekeeper
{
    /// <summary>What became of a command.</summary>
    internal sealed class CommandAnswer
    {
        private const int Longest = 500;

        public CommandAnswer(bool done, string text)
        {
            IsDone = done;
            // The service refuses longer words and zero bytes, and with them the answer.
            text = text?.Replace("\0", "");
            Text = text != null && text.Length > Longest ? text.Substring(0, Longest) : text;
        }

        public bool IsDone { get; }

        public string Text { get; }
    }
}
