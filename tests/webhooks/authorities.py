"""Certificates from an authority of our own, good ones and bad ones."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.x509.oid import NameOID


class Authority:
    """Signs for anybody; `file` is what those who trust it must be given."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self._folder = folder
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._key = ec.generate_private_key(ec.SECP256R1())
        made = _begun(self._name, self._key, days=(-10, 10))
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        signed = made.issuer_name(self._name).sign(self._key, hashes.SHA256())
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    def server(
        self, *hosts: str, days: tuple[int, int] = (-1, 1), self_signed: bool = False
    ) -> ssl.SSLContext:
        """What a server needs that is `hosts`, from the one day to the other, counted from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0])])
        names = x509.SubjectAlternativeName([_named(host) for host in hosts])
        made = _begun(subject, key, days).add_extension(names, critical=False)
        issuer, signer = (subject, key) if self_signed else (self._name, self._key)
        signed = made.issuer_name(issuer).sign(signer, hashes.SHA256())
        file = self._folder / f"{signed.serial_number}.pem"
        file.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + _written(key))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


def _begun(
    subject: x509.Name, key: EllipticCurvePrivateKey, days: tuple[int, int]
) -> x509.CertificateBuilder:
    first, last = (datetime.now(UTC) + timedelta(days=day) for day in days)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(first)
        .not_valid_after(last)
    )


def _named(host: str) -> x509.GeneralName:
    if host[0].isdigit():
        return x509.IPAddress(ip_address(host))
    return x509.DNSName(host)


def _written(key: EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
