// The transport under the generated classes. The generator's own needs Polly and a newer
// Json.NET than Debian packages; everything that depends on our document is generated.

using System;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;

namespace Gamekeeper.Client
{
    public class ApiClient : ISynchronousClient, IAsynchronousClient, IDisposable
    {
        private readonly HttpClient client;
        private readonly string root;

        public ApiClient(string root) : this(new HttpClient(), root) { }

        public ApiClient(HttpClient client, string root, HttpClientHandler handler = null)
        {
            this.client = client;
            this.root = root;
        }

        public void Dispose() => client.Dispose();

        private async Task<ApiResponse<T>> Send<T>(string method, string path, RequestOptions options)
        {
            var request = new HttpRequestMessage(new HttpMethod(method), Address(path, options));
            if (options.Data != null)
                request.Content = new StringContent(
                    JsonConvert.SerializeObject(options.Data), Encoding.UTF8, "application/json");
            foreach (var header in options.HeaderParameters.Where(one => one.Key != "Content-Type"))
                request.Headers.TryAddWithoutValidation(header.Key, header.Value);
            var answer = await client.SendAsync(request).ConfigureAwait(false);
            var text = await answer.Content.ReadAsStringAsync().ConfigureAwait(false);
            var headers = new Multimap<string, string>();
            foreach (var header in answer.Headers)
                foreach (var value in header.Value)
                    headers.Add(header.Key, value);
            var data = answer.IsSuccessStatusCode ? JsonConvert.DeserializeObject<T>(text) : default(T);
            return new ApiResponse<T>(answer.StatusCode, headers, data, text);
        }

        private string Address(string path, RequestOptions options)
        {
            foreach (var one in options.PathParameters)
                path = path.Replace("{" + one.Key + "}", Uri.EscapeDataString(one.Value));
            var query = options.QueryParameters.SelectMany(one => one.Value.Select(
                value => Uri.EscapeDataString(one.Key) + "=" + Uri.EscapeDataString(value)));
            return root + path + "?" + string.Join("&", query);
        }

        public ApiResponse<T> Get<T>(string p, RequestOptions o, IReadableConfiguration c = null) => Send<T>("GET", p, o).Result;
        public ApiResponse<T> Post<T>(string p, RequestOptions o, IReadableConfiguration c = null) => Send<T>("POST", p, o).Result;
        public ApiResponse<T> Put<T>(string p, RequestOptions o, IReadableConfiguration c = null) => Send<T>("PUT", p, o).Result;
        public ApiResponse<T> Delete<T>(string p, RequestOptions o, IReadableConfiguration c = null) => Send<T>("DELETE", p, o).Result;
        public ApiResponse<T> Head<T>(string p, RequestOptions o, IReadableConfiguration c = null) => Send<T>("HEAD", p, o).Result;
        public ApiResponse<T> Options<T>(string p, RequestOptions o, IReadableConfiguration c = null) => Send<T>("OPTIONS", p, o).Result;
        public ApiResponse<T> Patch<T>(string p, RequestOptions o, IReadableConfiguration c = null) => Send<T>("PATCH", p, o).Result;

        public Task<ApiResponse<T>> GetAsync<T>(string p, RequestOptions o, IReadableConfiguration c = null, CancellationToken t = default) => Send<T>("GET", p, o);
        public Task<ApiResponse<T>> PostAsync<T>(string p, RequestOptions o, IReadableConfiguration c = null, CancellationToken t = default) => Send<T>("POST", p, o);
        public Task<ApiResponse<T>> PutAsync<T>(string p, RequestOptions o, IReadableConfiguration c = null, CancellationToken t = default) => Send<T>("PUT", p, o);
        public Task<ApiResponse<T>> DeleteAsync<T>(string p, RequestOptions o, IReadableConfiguration c = null, CancellationToken t = default) => Send<T>("DELETE", p, o);
        public Task<ApiResponse<T>> HeadAsync<T>(string p, RequestOptions o, IReadableConfiguration c = null, CancellationToken t = default) => Send<T>("HEAD", p, o);
        public Task<ApiResponse<T>> OptionsAsync<T>(string p, RequestOptions o, IReadableConfiguration c = null, CancellationToken t = default) => Send<T>("OPTIONS", p, o);
        public Task<ApiResponse<T>> PatchAsync<T>(string p, RequestOptions o, IReadableConfiguration c = null, CancellationToken t = default) => Send<T>("PATCH", p, o);
    }
}
