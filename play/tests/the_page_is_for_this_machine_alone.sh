# The server answers on loopback, below its random path, to those who ask by a name of this machine;
# and refuses what is no program.
. "$(dirname "$0")/common.bash"

echo 'console.log("hello");' >program.js
start_server program.js
python3 - "$address" <<'END'
import http.client
import json
import sys
import urllib.parse

address = urllib.parse.urlsplit(sys.argv[1])
assert address.hostname == "127.0.0.1" and len(address.path) == 34, address


def ask(method, path, body=None, **headers):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), answer.headers


status, page, headers = ask("GET", address.path)
assert status == 200 and 'id="play-data"' in page, status
assert "default-src 'none'" in headers["Content-Security-Policy"], headers
assert ask("GET", "/")[0] == 403
assert ask("GET", "/" + "0" * 32 + "/")[0] == 403
assert ask("GET", address.path, Host="evil.example")[0] == 403
assert ask("POST", address.path + "run", "{}", Origin="http://evil.example")[0] == 403
assert ask("GET", address.path + "run")[0] == 404
assert ask("POST", address.path + "constructor", "{}")[0] == 404
for bad in ("", "{", "{}", '{"source": 1}', json.dumps({"source": "", "name": "../x.js"}),
            json.dumps({"source": "", "name": "a.txt"}), json.dumps({"source": "", "seed": -1}),
            json.dumps({"source": "", "worlds": 1e9}), json.dumps({"source": "x" * 300000})):
    status, text, _ = ask("POST", address.path + "run", bad)
    assert status == 400 and "error" in json.loads(text), (bad[:40], status, text)
body = json.dumps({"source": "console.log('played')", "name": "a.js", "seed": 3})
status, text, _ = ask("POST", address.path + "run", body)
assert status == 200 and "played" in json.loads(text)["lines"], text
status, text, _ = ask("POST", address.path + "orders", json.dumps(
    {"source": "console.log('one order')", "worlds": 3}))
assert [one["seeds"] for one in json.loads(text)] == [[1, 2, 3]], text
END
