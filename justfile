# The ways of working here; `just` alone lists them.

# Three processes for two cores: some tests mostly wait.
processes := env("TEST_PROCESSES", `echo $(( ($(nproc) * 3 + 1) / 2 ))`)

# Each process gets whole files, those that take longest first.
pytest := ".venv/bin/python -m tests.clusters .venv/bin/pytest -n " + processes + " --dist loadfile --no-loadscope-reorder"

_default:
    @just --list

# Make .venv with exactly the locked versions, checked by hash.
install:
    uv venv --quiet --allow-existing --python ">=3.11" .venv
    uv pip sync --quiet --python .venv --require-hashes requirements.lock
    uv pip install --quiet --python .venv --no-deps --no-build-isolation --editable .

# Write requirements.lock and runtime.lock, the part of it that serving needs, from pyproject.toml.
lock:
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --group dev \
        --python-version 3.11 pyproject.toml -o requirements.lock
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --group build --constraint requirements.lock \
        --python-version 3.11 pyproject.toml -o runtime.lock
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --constraint requirements.lock \
        --python-version 3.11 pyproject.toml -o deploy/image/serve.lock
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --group sbom \
        --python-version 3.11 -o deploy/image/sbom.lock
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --python-version 3.11 \
        tests/clients/generated/requirements.in -o tests/clients/generated/requirements.lock
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --python-version 3.11 \
        deploy/requirements.in -o deploy/requirements.lock
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --python-version 3.11 \
        tests/matrix/requirements.in -o tests/matrix/requirements.lock
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --python-version 3.11 --no-deps \
        deploy/helm.in -o deploy/helm.lock

# Install the generators of clients, which CI tries on the OpenAPI document; C# also needs mono-mcs.
generators:
    .ci/generators

# Write what is made of the API's schemas: examples, both clients' types; build the TypeScript one.
client:
    .venv/bin/python tools/examples.py
    .venv/bin/python -m tests.clients.records
    test -d node_modules || .ci/npm ci
    {{just_executable()}} schema
    .ci/npm run --silent build -w clients/typescript

# Write the types of the TypeScript client from the OpenAPI document; git ignores them.
schema:
    .venv/bin/python tools/openapi.py | .ci/npm run --silent generate -w clients/typescript

# Write the console's table of action kinds from the registry in src/gamekeeper/ledger/kinds.
action-kinds:
    .venv/bin/python -m tools.action_kinds

# Lint, spelling, types, import contracts.
check:
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
    .venv/bin/typos
    .venv/bin/basedpyright --pythonpath .venv/bin/python
    .venv/bin/lint-imports

# Put the code into form.
format:
    .venv/bin/ruff check --fix .
    .venv/bin/ruff format .

# The tests before a commit: all that needs only PostgreSQL. On a PostgreSQL of their own, unless
# GAMEKEEPER_TEST_SERVER names one.
test *arguments:
    {{pytest}} -m "not (browser or engines or deploy or torture or slow)" {{arguments}}

# The tests of other lanes, together: browser, engines, deploy, torture (CONTRIBUTING.md).
lanes +names:
    {{pytest}} -m "({{replace(names, " ", " or ")}}) and not slow"

# All tests that CI runs: `just test` and every lane.
all *arguments:
    {{pytest}} -m "not slow" {{arguments}}

# Measure how long the tests of CI take, and write it to tests/durations.tsv, by which they are scheduled.
durations *arguments:
    {{pytest}} -m "not slow" --record-durations {{arguments}}

# Check that every commit since BASE imports and has a subject of the right form.
commits base="":
    .venv/bin/python -m tools.commits {{base}}

# Print the size and shape of the code; `--beside COMMIT` compares, `--json` for programs.
metrics *arguments:
    .venv/bin/python -m tools.metrics {{arguments}}

# List every string a user can read, with its area and place; `--area errors`, `--json` for programs.
strings *arguments:
    .venv/bin/python -m tools.strings {{arguments}}

# What takes minutes: a million players, endpoint by endpoint.
slow *arguments:
    .venv/bin/pytest -m slow -s {{arguments}}

# Failovers of three PostgreSQL servers under Patroni, with clients (docs/operate/failover.md).
# `just failover --help`: faults, clients, operations, settings of Patroni, report.
failover *arguments:
    .ci/failover
    PYTHONPATH=src:. .venv/bin/python -m tests.failover {{arguments}}

# The tests that try to break it, at full size, for some hours (docs/reliability.md); CI runs them small.
# `just gate --list`, `just gate --only kills,trades`; `just gate --help` tells the rest.
gate *arguments:
    .venv/bin/python -m tests.gate {{arguments}}

# The tests on each supported Python and PostgreSQL; writes docs/operate/versions.md.
# `just matrix --core --only 3.13/18`; `just matrix --help` tells the rest.
matrix *arguments:
    .venv/bin/python -m tests.matrix {{arguments}}

# Write docs/reliability-faults.md from tests/faults/matrix.toml: every fault with its tests.
faults:
    .venv/bin/python -m tests.faults.matrix

# The tests tested: planted bugs, each caught by a named test, or --random 300 (`just mutants --help`).
mutants *words:
    PYTHONPATH=src:. .venv/bin/python tests/torture/mutants.py {{words}}

# The service beside bare PostgreSQL; writes docs/benchmarks.md. `just bench --help` tells the rest.
bench *arguments:
    PYTHONPATH=src:. .venv/bin/python -m bench {{arguments}}

# CPU, WAL and growth of tables for each kind of request (docs/scale.md); `just capacity --help`.
capacity *arguments:
    PYTHONPATH=src:. .venv/bin/python -m bench.capacity {{arguments}}

# Each read of the API on a large world, by one caller and by sixteen (tests/large_world.py).
reads *arguments:
    PYTHONPATH=src:. .venv/bin/python -m bench.reads {{arguments}}

# Mixed load for hours at 70 % of what the machine does (docs/operate/capacity.md).
soak *arguments:
    PYTHONPATH=src:. .venv/bin/python -m bench.soak {{arguments}}

# Replay what programs for the Intersect Engine send; writes the pages on compatibility.
compatibility *words:
    .venv/bin/python -m tests.clusters .venv/bin/python -m tests.intersect_clients {{words}}

# A website that signs in before every call: its speed, and what it leaves (clients, seconds, settings).
sign-ins *arguments:
    .venv/bin/python -m tests.clusters .venv/bin/python -m tests.torture.sign_in_every_call {{arguments}}

# What the ledger, the actions and the keys cost.
cost *arguments:
    PYTHONPATH=src:. .venv/bin/python tests/torture/cost.py {{arguments}}

# Build the container image with podman, on a base made of Debian packages (docs/deploy.md).
image *arguments:
    deploy/image/build {{arguments}}

# Build the documentation site into .site/html; a broken link fails. `just docs serve` shows it.
docs *arguments:
    .venv/bin/python -m tools.documentation {{arguments}}

# Build the console into the package, where `gamekeeper serve` finds it.
console:
    .ci/npm ci --loglevel error
    .ci/npm run build -w console

# Lint, types, unused files and pure logic of the console and the TypeScript client.
check-console: schema
    .ci/npm run check -w clients/typescript
    .ci/npm run types -w console
    .ci/npm run lint -w console
    .ci/npm run unused -w console
    .ci/npm run test -w console

# Install Helm, the schemas of Kubernetes and the writer of SBOMs: for tests/chart and `just release`.
release-tools:
    .ci/release-tools

# Give what CHANGELOG.md has as unreleased the version of pyproject.toml and today's date.
cut-changelog:
    .venv/bin/python -m tools.release cut

# Make a release of the last commit into dist/; `just release draft` to try it at any time.
release how="build":
    .venv/bin/python -m tools.release {{how}}
