using System;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Sends requests, by one HttpClient for all.</summary>
    internal sealed class Connection : IDisposable
    {
        private const int LargestAnswer = 32 * 1024 * 1024;
        private readonly HttpClient _http;
        private readonly string _url;

        public Connection(string url, string key)
        {
            _url = CheckedUrl(url);
            // A redirect could take the key elsewhere, and turn a POST into a GET.
            var handler = new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false };
            _http = new HttpClient(handler)
            {
                Timeout = Timeout.InfiniteTimeSpan,
                MaxResponseContentBufferSize = LargestAnswer,
            };
            var headers = _http.DefaultRequestHeaders;
            headers.Authorization = new AuthenticationHeaderValue("Bearer", CheckedKey(key));
            headers.UserAgent.ParseAdd("gamekeeper-client-csharp/0.1.0");
            // .NET Framework would ask before every body whether it may send it.
            headers.ExpectContinue = false;
            Prepare(new Uri(_url));
        }

        /// <summary>The answer's body; throws a refusal, or UnreachableException.</summary>
        public async Task<JsonObject> Send(HttpMethod method, string path, JsonObject body,
            TimeSpan most, CancellationToken cancel, string key = null)
        {
            var request = new HttpRequestMessage(method, _url + path);
            if (body != null)
                request.Content = new StringContent(body.ToString(), Encoding.UTF8, "application/json");
            if (key != null) request.Headers.Add("Idempotency-Key", key);
            var how = HttpCompletionOption.ResponseContentRead;
            using (var response = await Ask(request, how, most, cancel).ConfigureAwait(false))
            {
                var text = await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                return Read(response, text);
            }
        }

        public Task<JsonObject> Post(string path, JsonObject body, TimeSpan most,
            CancellationToken cancel, string key = null)
        {
            return Send(HttpMethod.Post, path, body, most, cancel, key);
        }

        /// <summary>An answer whose body is still coming; the caller disposes of it.</summary>
        public async Task<HttpResponseMessage> Open(
            string path, string lastEventId, TimeSpan most, CancellationToken cancel)
        {
            var request = new HttpRequestMessage(HttpMethod.Get, _url + path);
            request.Headers.Accept.ParseAdd("text/event-stream");
            request.Headers.Add("Last-Event-ID", lastEventId);
            var how = HttpCompletionOption.ResponseHeadersRead;
            var response = await Ask(request, how, most, cancel).ConfigureAwait(false);
            if (response.StatusCode == HttpStatusCode.OK) return response;
            using (response)
            {
                var reading = response.Content.ReadAsStringAsync();
                var text = await Patience.Within(reading, most, cancel).ConfigureAwait(false);
                Read(response, text);
                throw new UnreachableException("The events were answered by " + (int)response.StatusCode, null);
            }
        }

        public void Dispose() { _http.Dispose(); }

        private async Task<HttpResponseMessage> Ask(HttpRequestMessage request,
            HttpCompletionOption how, TimeSpan most, CancellationToken cancel)
        {
            using (var ending = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                try
                {
                    var asking = _http.SendAsync(request, how, ending.Token);
                    return await Patience.Within(asking, most, cancel).ConfigureAwait(false);
                }
                catch (Exception fault) when (!cancel.IsCancellationRequested)
                {
                    ending.Cancel();
                    // Platforms throw a dozen kinds here; all mean that there was no answer.
                    var inner = fault.InnerException == null ? "" : ": " + fault.InnerException.Message;
                    throw new UnreachableException(fault.Message + inner, fault);
                }
            }
        }

        private static JsonObject Read(HttpResponseMessage response, string text)
        {
            var status = (int)response.StatusCode;
            var said = Parsed(text);
            var passed = status >= 200 && status < 300 && said?.Text("Code") != "approval_required";
            if (passed && said != null) return said;
            if (passed) throw new UnreachableException("The answer is no JSON object.", null);
            var requestId = response.Headers.TryGetValues("X-Request-Id", out var ids)
                ? string.Join(",", ids) : null;
            throw RefusalException.Of(
                status, said ?? new JsonObject(), requestId, response.Headers.RetryAfter?.Delta);
        }

        private static JsonObject Parsed(string text)
        {
            try { return JsonObject.Parse(text); }
            catch (FormatException) { return null; }
        }

        private static string CheckedUrl(string url)
        {
            if (!Uri.TryCreate((url ?? "").Trim(), UriKind.Absolute, out var found)
                || (found.Scheme != "http" && found.Scheme != "https"))
                throw new ArgumentException("Url must begin with http:// or https://.");
            return found.AbsoluteUri.TrimEnd('/');
        }

        private static string CheckedKey(string key)
        {
            // A key from a file may end with a line break; in an error it would be shown.
            key = (key ?? "").Trim();
            if (key.Length == 0) throw new ArgumentException("There is no key.");
            foreach (var letter in key)
                if (letter <= ' ' || letter > '~')
                    throw new ArgumentException("The key has characters that no key has.");
            return key;
        }

        private static void Prepare(Uri url)
        {
#if NETSTANDARD2_0
            // .NET Framework and Mono: allow TLS 1.2 where the program has a list of its own, and more
            // than two connections: a stream and a long poll would use up both.
            if (ServicePointManager.SecurityProtocol != 0)
                ServicePointManager.SecurityProtocol |= SecurityProtocolType.Tls12;
            var point = ServicePointManager.FindServicePoint(url);
            if (point.ConnectionLimit < 16) point.ConnectionLimit = 16;
#endif
        }
    }
}
