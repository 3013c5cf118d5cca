"""The Helm chart, rendered by the real Helm; no cluster is at hand to run it in."""
