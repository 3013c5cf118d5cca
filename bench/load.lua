-- What wrk sends: the requests of a file, one after the other, from a random one on.
--
--   wrk … -s load.lua URL -- METHOD FILE AUTHORIZATION [BODY]
--
-- Each line of the file is a path; after a tab may stand a credential for this request
-- alone. The lines are in random order already. With a body, every request has an
-- Idempotency-Key of its own.

local count = 0

function setup(thread)
  count = count + 1
  thread:set("number", count)
end

function init(args)
  local random = io.open("/dev/urandom", "rb")
  local a, b, c, d = random:read(4):byte(1, 4)
  random:close()
  math.randomseed(((a * 256 + b) * 256 + c) * 128 + d + number)
  method, body = args[1], args[4]
  requests = {}
  for line in io.lines(args[2]) do
    local path, credential = line:match("^([^\t]*)\t?(.*)$")
    wrk.headers["Authorization"] = "Bearer " .. (credential ~= "" and credential or args[3])
    if body then
      wrk.headers["Content-Type"] = "application/json"
      wrk.headers["Idempotency-Key"] = "@key@"
    end
    local head, tail = wrk.format(method, path, wrk.headers, body), ""
    if body then
      local first, last = head:find("@key@", 1, true)
      head, tail = head:sub(1, first - 1), head:sub(last + 1)
    end
    requests[#requests + 1] = { head, tail }
  end
  at = math.random(#requests)
end

function request()
  at = at % #requests + 1
  local one = requests[at]
  if not body then return one[1] end
  local top = 2 ^ 32 - 1
  return one[1] .. string.format("%08x%08x%08x%08x", math.random(0, top), math.random(0, top),
                                 math.random(0, top), math.random(0, top)) .. one[2]
end

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "seconds": %.6f, "p50": %.4f, "p99": %.4f, "refused": %d, "lost": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
