"""The secrets of shops, as settings spell them: several with commas, while one is rotated."""


def parse(tebex: str | None, stripe: str | None, own: str | None) -> dict[str, list[str]]:
    """The secrets of each shop that has one; those of own shops are `name:secret`."""
    found = {"tebex": _listed(tebex), "stripe": _listed(stripe)}
    for name, _, secret in [part.partition(":") for part in _listed(own)]:
        found.setdefault(name, []).append(secret)
    return {name: secrets for name, secrets in found.items() if secrets}


def _listed(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]
