#!/bin/sh
# URLSession of the open-source Foundation repeats a redirected upload without its body, and loses fields and cookies' ages.
#
# Package: FoundationNetworking of the Swift toolchain 6.3.1 (Linux).
# Input:   a server on the loopback address that answers 307 to a POST and 302 to a PUT, sends two fields whose names differ in
#          case, a cookie with Max-Age=0, and asks for Digest authentication.
# Seen:    the POST is sent again with no body, the PUT becomes a PUT with no body; of "x-a: 1" and "X-A: 2" one is left;
#          the cookie that has ended at once is sent back; the delegate is not asked for a credential.
# Expected: the same body again (RFC 9110, 15.4), both values, no cookie (RFC 6265, 5.2.2), a challenge.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
swift --version 2>&1 | grep -F 'Swift version 6.3.1' || { echo "this finding is about Swift 6.3.1" >&2; exit 1; }
cat >"$folder/server.py" <<'PYTHON'
import http.server, sys

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, fields = 200, []
        if self.path.startswith("/from"):
            status, fields = int(self.path[-3:]), [("Location", "/to")]
        elif self.path == "/fields":
            fields = [("x-a", "1"), ("X-A", "2"), ("Set-Cookie", "ended=1; Max-Age=0")]
        elif self.path == "/digest":
            status, fields = 401, [("WWW-Authenticate", 'Digest realm="a", nonce="b", qop="auth"')]
        text = f"{self.command} {len(body)} cookie={self.headers.get('Cookie')}".encode()
        self.send_response(status)
        for name, value in fields + [("Content-Length", str(len(text)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = answer

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
cat >"$folder/main.swift" <<'SWIFT'
import Foundation
import FoundationNetworking

final class Delegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    var challenges = 0

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenges += 1
        completionHandler(.performDefaultHandling, nil)
    }
}

let base = "http://127.0.0.1:\(CommandLine.arguments[1])"
let delegate = Delegate()
let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)

func text(_ method: String, _ path: String, body: String? = nil) async throws -> (String, HTTPURLResponse) {
    var request = URLRequest(url: URL(string: base + path)!)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    let (data, response) = try await session.data(for: request)
    return (String(decoding: data, as: UTF8.self), response as! HTTPURLResponse)
}

print("POST, 307:", try await text("POST", "/from307", body: "hello").0)
print("PUT, 302:", try await text("PUT", "/from302", body: "hello").0)
let fields = try await text("GET", "/fields").1
print("fields:", fields.value(forHTTPHeaderField: "X-A")?.count ?? 0, "character")
print("cookie:", try await text("GET", "/to").0)
print("digest:", try await text("GET", "/digest").1.statusCode, "challenges", delegate.challenges)
SWIFT
swiftc -o "$folder/program" "$folder/main.swift"
python3 "$folder/server.py" >"$folder/port" &
server=$!
while [ ! -s "$folder/port" ]; do sleep 0.1; done
timeout 60 "$folder/program" "$(cat "$folder/port")" | tee "$folder/seen"
cat >"$folder/expected" <<'TEXT'
POST, 307: POST 0 cookie=None
PUT, 302: PUT 0 cookie=None
fields: 1 character
cookie: GET 0 cookie=ended=1
digest: 401 challenges 0
TEXT
diff "$folder/expected" "$folder/seen" && echo "as found"
