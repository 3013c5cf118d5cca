using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    /// <summary>Sends transactions in batches, and reads the outcome of each.</summary>
    internal sealed class TransactionSender
    {
        private const int Most = 100;
        // The service takes 1 MiB.
        private const int Largest = 900000;
        private readonly Connection _connection;
        private readonly GameServerOptions _options;

        public TransactionSender(Connection connection, GameServerOptions options)
        {
            _connection = connection;
            _options = options;
        }

        /// <summary>Throws at the first call that fails; what was settled before stays settled.</summary>
        public async Task Send(Lease lease, List<Queued> due, Action<IReadOnlyList<Outcome>> settle,
            CancellationToken cancel)
        {
            var most = Most;
            for (var at = 0; at < due.Count; )
            {
                var batch = Batch(due, at, most);
                try
                {
                    var said = await Post(lease, batch, cancel).ConfigureAwait(false);
                    var outcomes = Read(said, batch);
                    settle(outcomes);
                    // Those that failed for a passing reason go out with the next round.
                    if (outcomes.Count < batch.Count) throw Busy(said);
                }
                catch (RefusalException refusal) when (refusal.Status == 400 || refusal.Status == 413)
                {
                    // One that cannot be read must not keep the others: halve until it is alone.
                    if (batch.Count > 1)
                    {
                        most = batch.Count / 2;
                        continue;
                    }
                    settle(new[] { Refused(batch[0].Transaction, refusal) });
                }
                at += batch.Count;
                most = Most;
            }
        }

        private static List<Queued> Batch(List<Queued> due, int at, int most)
        {
            var batch = new List<Queued>();
            var size = 0;
            foreach (var one in due.Skip(at).Take(most))
            {
                size += Encoding.UTF8.GetByteCount(one.Transaction.Seal()) + 1;
                var fits = size <= Largest
                    && (batch.Count == 0 || one.Transaction.IsAnywhere == batch[0].Transaction.IsAnywhere);
                if (batch.Count > 0 && !fits) break;
                batch.Add(one);
            }
            return batch;
        }

        private Task<JsonObject> Post(Lease lease, List<Queued> batch, CancellationToken cancel)
        {
            var body = new JsonObject();
            if (!batch[0].Transaction.IsAnywhere)
                body.Set("server", lease.ServerId).Set("fence", lease.Fence);
            body.Set("transactions", batch.Select(one => JsonObject.Parse(one.Transaction.Seal())));
            return _connection.Post("/api/v1/transactions", body, _options.Timeout, cancel);
        }

        private static List<Outcome> Read(JsonObject said, List<Queued> batch)
        {
            var queued = batch.ToDictionary(one => one.Transaction.Key, one => one.Transaction);
            var outcomes = new List<Outcome>();
            foreach (var one in said.Objects("Values"))
            {
                if (!queued.TryGetValue(one.Text("Key") ?? "", out var transaction)) continue;
                if (IsPassing(one)) continue;
                outcomes.Add(new Outcome(transaction, (int)(one.Number("Status") ?? 0),
                    one.Flag("Replayed"), one.Object("Done"), one.Object("Failure")));
            }
            return outcomes;
        }

        private static bool IsPassing(JsonObject outcome)
        {
            var status = outcome.Number("Status");
            return status == 429 || status >= 500
                || outcome.Object("Failure")?.Text("Code") == "still_running";
        }

        private static RefusalException Busy(JsonObject said)
        {
            var failure = said.Objects("Values").Where(IsPassing).Select(one => one.Object("Failure"))
                .FirstOrDefault() ?? new JsonObject().Set("Message", "Outcomes are missing.");
            return RefusalException.Of(503, failure, null, null);
        }

        private static Outcome Refused(Transaction transaction, RefusalException refusal)
        {
            var failure = new JsonObject().Set("Code", refusal.Code).Set("Message", refusal.Message)
                .Set("RequestId", refusal.RequestId).Set("Details", refusal.Details);
            return new Outcome(transaction, refusal.Status, false, null, failure);
        }
    }
}
