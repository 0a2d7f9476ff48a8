"""tls_probe.py PHASOR: what an auditor would ask our servers, with openssl s_client.

Old protocols, weak ciphers, renegotiation, compression and downgrades are refused by a server with
default settings; the client is told to allow them all, so that the refusal is the server's.
"""

import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve()
KEYS = HERE.parents[1] / "tls" / "keys"
ANYTHING = "ALL:COMPLEMENTOFALL:@SECLEVEL=0"
WEAK = ("NULL", "aNULL", "EXPORT", "LOW", "RC4", "3DES", "MD5", "PSK", "SRP", "IDEA", "SEED")
failures = []


def check(title, condition, shown=""):
    print(f"{'ok' if condition else 'NOT'}: {title}{'' if condition else f' {shown[-400:]!r}'}")
    if not condition:
        failures.append(title)


def ask(port, *options, send=""):
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername",
                           "localhost", "-CAfile", KEYS / "ca.pem", *options], input=send,
                          capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def is_connected(text):
    return re.search(r"Cipher is [A-Z]", text) is not None


def known_ciphers(pattern):
    done = subprocess.run(["openssl", "ciphers", "-s", "-tls1_2", f"{pattern}:@SECLEVEL=0"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def protocols(port):
    for option, name in (("-ssl3", "SSL 3"), ("-tls1", "TLS 1.0"), ("-tls1_1", "TLS 1.1")):
        text = ask(port, option, "-cipher", ANYTHING)
        check(f"{name} is refused", not is_connected(text), text)
    for option, name in (("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")):
        text = ask(port, option)
        check(f"{name} is spoken", is_connected(text) and name in text, text)
        check(f"{name} is not compressed", "Compression: NONE" in text, text)
    text = ask(port, "-tls1_2", "-fallback_scsv")
    check("a downgrade is found out", "inappropriate fallback" in text, text)


def ciphers(port):
    for weak in WEAK:
        names = known_ciphers(weak)
        if names == "":
            check(f"{weak}: not even known to openssl", True)
            continue
        text = ask(port, "-tls1_2", "-cipher", f"{names}:@SECLEVEL=0")
        check(f"{weak} is refused", not is_connected(text), text)
    text = ask(port, "-tls1_2")
    check("what is chosen keeps secrets when the key is lost",
          re.search(r"Cipher is (ECDHE|DHE|TLS_)", text) is not None, text)
    text = ask(port, "-tls1_2", "-curves", "P-192")
    check("a small curve is refused", "Server Temp Key: ECDH, P-192" not in text, text)


def renegotiation(port):
    text = ask(port, "-tls1_2", send="R\nQ\n")
    check("renegotiation is refused", "RENEGOTIATING" in text and
          "no renegotiation" in text, text)
    check("renegotiation would be secure", "Secure Renegotiation IS supported" in text, text)


def certificates(port):
    text = ask(port, "-verify_return_error", "-verify_hostname", "localhost")
    check("the chain and the name are right", "Verify return code: 0 (ok)" in text, text)
    text = ask(port, "-status")
    check("no OCSP response is made up", "OCSP response: no response sent" in text, text)
    text = ask(port, "-alpn", "nonsense")
    check("a protocol that nobody speaks is refused", "no application protocol" in text, text)


def main():
    if shutil.which("openssl") is None:
        print("openssl is not installed")
        return
    server = subprocess.Popen([sys.argv[1], HERE.parent / "peers" / "server.js", KEYS],
                              stdout=subprocess.PIPE, text=True)
    try:
        port = server.stdout.readline().strip()
        protocols(port)
        ciphers(port)
        renegotiation(port)
        certificates(port)
    finally:
        server.kill()
        server.wait()
    sys.exit(len(failures))


main()
