# The ways of working here; `just` alone lists them.



_default:
    @just --list

# Make .venv with exactly the locked versions, checked by hash.
install:
    uv venv --quiet --allow-existing --python ">=3.11" .venv
    uv pip sync --quiet --python .venv --require-hashes requirements.lock
    uv pip install --quiet --python .venv --no-deps --no-build-isolation --editable .

# Write requirements.lock anew from pyproject.toml.
lock:
    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
        --no-emit-index-url --no-emit-find-links --group dev \
        --python-version 3.11 pyproject.toml -o requirements.lock

# Lint, types, import contracts.
check:
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
    .venv/bin/basedpyright --pythonpath .venv/bin/python
    .venv/bin/lint-imports

# Put the code into form.
format:
    .venv/bin/ruff check --fix .
    .venv/bin/ruff format .

# The whole suite, on the PostgreSQL that GAMEKEEPER_TEST_SERVER names.
test *arguments:
    .venv/bin/pytest -n 2 --dist loadfile -m "not slow" {{arguments}}

# What takes minutes: the figures of docs/benchmarks.
slow *arguments:
    .venv/bin/pytest -m slow -s {{arguments}}
