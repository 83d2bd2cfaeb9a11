"""What the matrix stands on, and the count of its cases."""

import os
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

TRIED, PASSED = "faults tried", "faults passed"


@pytest.fixture(autouse=True)
def _without_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy between us and loopback, and nothing to be looked through at each request."""
    for name in set(os.environ) - {"HOME", "PATH", "PYTEST_CURRENT_TEST"}:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """TLS with a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now, day = datetime.now(UTC), timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("stranger") / "server.pem"
    pem, raw = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    file.write_bytes(
        certificate.public_bytes(pem) + key.private_bytes(pem, raw, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line with the number of cases, also when they ran in several processes."""
    reports = [
        report
        for kind in ("passed", "failed")
        for report in terminalreporter.stats.get(kind, [])
        if isinstance(report, pytest.TestReport)
    ]
    tried, passed = (
        sum(
            int(str(value))
            for report in reports
            for name, value in report.user_properties
            if name == wanted
        )
        for wanted in (TRIED, PASSED)
    )
    terminalreporter.write_line(f"fault matrix: {tried} faults tried, {passed} passed")
