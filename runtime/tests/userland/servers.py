"""servers.py ROOT NAMES COMMAND...: runs the command beside servers from Debian's packages.

NAMES, in one word, are of postgres, mariadb, redis, mosquitto, smtp and nginx; their packages are
unpacked in ROOT. Each runs on a free port of the loopback that the command finds as POSTGRES_PORT
and the like, in a folder that is gone afterwards, with the keys in the folder KEYS.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from unpacked import Unpacked, as_somebody, free_port

UNPACKED = Unpacked(sys.argv[1])
ROOT = UNPACKED.root
NAMES = sys.argv[2].split()
KEYS = pathlib.Path(os.environ["KEYS"]).resolve()
PATIENCE = 60  # seconds until a server must answer


def program(name):
    return UNPACKED.find(name) or sys.exit(f"servers.py: there is no {name} below {ROOT}")


class Servers:
    def __init__(self, folder):
        self.folder = folder
        self.running = []
        self.ports = {}

    def once(self, words, **options):
        with open(self.folder / "log", "ab") as log:
            subprocess.run(as_somebody(words), check=True, stdout=log, stderr=log,
                           env=UNPACKED.environment, cwd=self.folder, **options)

    def start(self, words):
        with open(self.folder / "log", "ab") as log:
            self.running.append(subprocess.Popen(as_somebody(words), stdout=log, stderr=log,
                                                 stdin=subprocess.DEVNULL, env=UNPACKED.environment,
                                                 cwd=self.folder))

    def port(self, name):
        self.ports[name] = free_port()
        return self.ports[name]

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def postgres(self):
        key = self.folder / "postgres.key"
        shutil.copy(KEYS / "server.key", key)
        key.chmod(0o600)
        password = self.file("password", "secret\n")
        self.once([program("initdb"), "-D", "postgres", "-U", "user", "-A", "scram-sha-256",
                   "--pwfile", password, "--no-sync", "-E", "UTF8", "--locale", "C"])
        self.start([program("postgres"), "-D", "postgres", "-p", self.port("POSTGRES_PORT"),
                    "-h", "127.0.0.1", "-k", str(self.folder), "-F", "-c", "ssl=on",
                    "-c", f"ssl_key_file={key}", "-c", f"ssl_cert_file={KEYS / 'server.pem'}"])

    def mariadb(self):
        usr = str(ROOT / "usr")
        data = self.folder / "mariadb"
        data.mkdir()
        tables = "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n" + "".join(
            (ROOT / "usr/share/mysql" / name).read_text() for name in
            ("mysql_system_tables.sql", "mysql_system_tables_data.sql"))
        with open(self.file("tables.sql", tables), "rb") as tables:
            self.once([program("mariadbd"), "--no-defaults", f"--basedir={usr}", "--bootstrap",
                       f"--datadir={data}"], stdin=tables)
        setup = self.file("setup.sql", "CREATE DATABASE shop;\nCREATE USER 'user'@'%' IDENTIFIED "
                          "BY 'secret';\nGRANT ALL ON shop.* TO 'user'@'%';\n")
        self.start([program("mariadbd"), "--no-defaults", f"--basedir={usr}",
                    f"--datadir={data}", "--bind-address=127.0.0.1",
                    f"--port={self.port('MARIADB_PORT')}", f"--socket={self.folder / 'm.sock'}",
                    f"--ssl-key={KEYS / 'server.key'}", f"--ssl-cert={KEYS / 'server.pem'}",
                    f"--ssl-ca={KEYS / 'ca.pem'}", f"--init-file={setup}", "--skip-name-resolve",
                    f"--pid-file={self.folder / 'm.pid'}", "--innodb-flush-log-at-trx-commit=0"])

    def redis(self):
        self.start([program("redis-server"), "--bind", "127.0.0.1", "--port",
                    self.port("REDIS_PORT"), "--tls-port", self.port("REDIS_TLS_PORT"),
                    "--tls-cert-file", str(KEYS / "server.pem"), "--tls-key-file",
                    str(KEYS / "server.key"), "--tls-ca-cert-file", str(KEYS / "ca.pem"),
                    "--save", "", "--requirepass", "secret"])

    def mosquitto(self):
        self.start([program("mosquitto"), "-c", self.file("mosquitto.conf", f"""
            persistence false
            allow_anonymous true
            listener {self.port("MQTT_PORT")} 127.0.0.1
            listener {self.port("MQTTS_PORT")} 127.0.0.1
            cafile {KEYS}/ca.pem
            certfile {KEYS}/server.pem
            keyfile {KEYS}/server.key
            require_certificate true
            use_identity_as_username true
            """.replace("\n            ", "\n"))])

    def smtp(self):
        self.start(["/usr/bin/python3", "-B", "-c", """
import ssl, sys
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
from aiosmtpd.smtp import AuthResult
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(sys.argv[1] + '/server.pem', sys.argv[1] + '/server.key')
def known(server, session, envelope, mechanism, data):
    return AuthResult(success=data.password == b'secret', handled=False)
Controller(Sink(), '127.0.0.1', int(sys.argv[2]), tls_context=context, auth_required=True,
           authenticator=known).start()
import threading
threading.Event().wait()
""", str(KEYS), self.port("SMTP_PORT")])

    def nginx(self):
        for name in ("www", "nginx"):
            (self.folder / name).mkdir()
        self.file("www/hello.txt", "hello from nginx\n")
        self.file("www/large.txt", "".join(f"line {i} of a large file\n" for i in range(40000)))
        temporary = "\n".join(f"{kind}_temp_path nginx/{kind};" for kind in
                              ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        self.start([program("nginx"), "-p", str(self.folder), "-e", "stderr", "-c",
                    self.file("nginx.conf", f"""
daemon off; master_process off; pid nginx/pid; error_log stderr;
events {{}}
http {{
  {temporary}
  access_log off;
  types {{ text/plain txt; }}
  ssl_certificate {KEYS}/server.pem; ssl_certificate_key {KEYS}/server.key;
  server {{
    listen 127.0.0.1:{self.port("NGINX_PORT")} ssl http2;
    root www; gzip on; gzip_types text/plain;
    location /moved {{ return 302 /hello.txt; }}
    location /gone {{ return 410; }}
  }}
}}
""")])

    def wait(self):
        until = time.monotonic() + PATIENCE
        for name, port in self.ports.items():
            while True:
                try:
                    socket.create_connection(("127.0.0.1", int(port)), timeout=5).close()
                    break
                except OSError:
                    if time.monotonic() > until:
                        sys.stdout.write((self.folder / "log").read_text(errors="replace")[-3000:])
                        sys.exit(f"servers.py: {name} does not answer")
                    time.sleep(0.05)

    def stop(self):
        for process in self.running:
            process.send_signal(signal.SIGTERM)
        for process in self.running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="servers-") as folder:
        servers = Servers(pathlib.Path(folder))
        try:
            for name in NAMES:
                getattr(servers, name)()
            servers.wait()
            status = subprocess.run(sys.argv[3:], check=False,
                                    env={**os.environ, **servers.ports}).returncode
        except subprocess.CalledProcessError as error:
            sys.stdout.write((servers.folder / "log").read_text(errors="replace")[-3000:])
            sys.exit(str(error))
        finally:
            servers.stop()
    sys.exit(status)


main()
