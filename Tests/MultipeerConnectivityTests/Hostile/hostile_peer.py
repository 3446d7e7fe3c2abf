"""A peer that breaks the rules of the protocol of peers: hostile_peer.py PORT KIND FOLDER [ARGUMENTS]

Writes one line for each attempt: what the other side answered, or "closed". The protocol is described in
Docs/Decisions/0035-a-transport-for-peers.md; nothing here is shared with the library.
"""
import base64, hashlib, json, os, socket, ssl, struct, subprocess, sys, time, uuid

port, kind, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]


def identity(name):
    """Makes a key and a certificate of it; returns the files and the digest of the key."""
    key, certificate = os.path.join(folder, name + ".key"), os.path.join(folder, name + ".pem")
    if not os.path.exists(certificate):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", key, "-out", certificate,
                        "-subj", "/CN=" + name, "-days", "10"], check=True, capture_output=True)
    public = subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-pubkey"], check=True, capture_output=True)
    lines = public.stdout.decode().strip().splitlines()[1:-1]
    return key, certificate, hashlib.sha256(base64.b64decode("".join(lines))).digest()


def context(name):
    key, certificate, digest = identity(name)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    made.minimum_version = ssl.TLSVersion.TLSv1_3
    made.load_cert_chain(certificate, key)
    return made, digest


def connect(preamble=b"OCDP\x01\x02\x00\x00"):
    plain = socket.create_connection(("127.0.0.1", port), timeout=20)
    plain.sendall(preamble)
    return plain, plain.recv(8)


def secure(name="hostile"):
    made, digest = context(name)
    plain, _ = connect()
    return made.wrap_socket(plain), digest


def frame(payload):
    return struct.pack(">Q", len(payload)) + payload


def send(wire, value):
    wire.sendall(frame(json.dumps(value).encode()))


def receive(wire):
    """The next frame; None at the end of the stream."""
    def exactly(count):
        got = b""
        while len(got) < count:
            more = wire.recv(count - len(got))
            if not more:
                raise EOFError
            got += more
        return got
    try:
        return exactly(struct.unpack(">Q", exactly(8))[0])
    except (EOFError, OSError):
        return None


def answer(wire):
    """What the other side says, as one line."""
    got = receive(wire)
    if got is None:
        return "closed"
    try:
        refusal = json.loads(got).get("refusal")
        return refusal["code"] + ": " + refusal["reason"] if refusal else "accepted"
    except ValueError:
        return "frame of kind %d" % got[0]


def introduction(identifier, name="Hostile"):
    return {"name": name, "identifier": identifier, "port": 0, "isDebugged": False, "messageBytes": 1 << 24}


def hello(digest, identifier=None, purpose="invite", nonce=b"n" * 32, **more):
    value = {"purpose": purpose, "introduction": introduction(identifier or uuid.uuid4().hex), "session": str(uuid.uuid4()).upper(),
             "link": str(uuid.uuid4()).upper(),
             "commitment": base64.b64encode(hashlib.sha256(b"OCDP commitment" + digest + nonce).digest()).decode()}
    value.update(more)
    return value


def reveal(nonce=b"n" * 32, timeout=20):
    return {"nonce": base64.b64encode(nonce).decode(), "timeout": timeout}


def member(name="hostile", identifier=None):
    """Goes through the handshake as it should be."""
    wire, digest = secure(name)
    send(wire, hello(digest, identifier))
    receive(wire)
    send(wire, reveal())
    said = answer(wire)
    send(wire, {})
    return wire, said


def header(kind, flags=0, channel=0, number=0, acknowledged=0):
    return struct.pack(">BBHIQQ", kind, flags, 0, channel, number, acknowledged)


def last_word(wire):
    """The reason of the goodbye that ends a connection."""
    while True:
        got = receive(wire)
        if got is None:
            return "closed"
        if got[0] == 12:
            said = json.loads(got[24:])
            return said["code"] + ": " + said["reason"]


def say(text):
    print(text, flush=True)


if kind == "version":
    _, reply = connect(b"OCDP\x09\x02\x00\x00")
    say("version %d refusal %d" % (reply[4], reply[6]))
elif kind == "garbage":
    for bytes_ in [b"GET / HTTP/1.1\r\n\r\n", b"\0" * 4096, os.urandom(4096), b"", b"OCDP\x01\xff\x00\x00"]:
        wire, reply = connect(bytes_[:8]) if bytes_ else (socket.create_connection(("127.0.0.1", port)), b"")
        try:
            wire.sendall(bytes_[8:])
            wire.shutdown(socket.SHUT_WR)
            wire.settimeout(20)
            while wire.recv(4096):
                pass
        except OSError:
            pass
        say("closed")
elif kind == "lie":
    wire, digest = secure()
    wire.sendall(struct.pack(">Q", 1 << 40) + b"x" * 100)
    say(answer(wire))
    for value in [hello(digest, purpose="rule"), hello(digest, "z" * 32), {"purpose": "invite"}, [],
                  dict(hello(digest), introduction=introduction(uuid.uuid4().hex, "n" * 300)),
                  dict(hello(digest), introduction=introduction(uuid.uuid4().hex, "a\nb"))]:
        wire, digest = secure()
        send(wire, value)
        say(answer(wire))
elif kind == "commitment":
    wire, digest = secure()
    send(wire, hello(digest))
    receive(wire)
    send(wire, reveal(nonce=b"m" * 32))
    say(answer(wire))
elif kind == "invite":
    for _ in range(int(sys.argv[4])):
        wire, digest = secure()
        send(wire, hello(digest))
        receive(wire)
        send(wire, reveal())
        wire.settimeout(0.05)
        try:
            said = answer(wire)
        except (TimeoutError, socket.timeout):
            said = "waiting"
        say(said if said != "closed" else "waiting")
elif kind == "identity":
    wire, digest = secure("other")
    send(wire, hello(digest, sys.argv[4]))
    receive(wire)
    send(wire, reveal())
    say(answer(wire))
elif kind == "resume":
    wire, digest = secure("other")
    send(wire, hello(digest, purpose="resume", link=sys.argv[4], received=0))
    say(answer(wire))
elif kind == "flood":
    wire, said = member()
    say(said)
    sent = 0
    try:
        for number in range(1, 1 << 20):
            wire.sendall(frame(header(2, 0, 0, number) + b"x" * 16000))
            sent += 16000
    except OSError:
        pass
    say("sent %d" % (sent >> 20))
elif kind == "rules":
    for bad in [header(2, 1, 0, 9), header(99), header(9, 0, 0, 0, 77), header(5, 0, 3, 1) + b"x", header(8, 0, 0, 1) + b"x",
                b"", header(4, 0, 2, 1) + b"{}"]:
        wire, said = member()
        wire.sendall(frame(bad))
        say(last_word(wire))
        wire.close()
elif kind == "stall":
    wire, said = member("stall")
    say(said)
    time.sleep(float(sys.argv[4]))
    say("over")
elif kind == "flip":
    # The first bytes of a connection, one of their bits flipped, for every STEPth bit from FIRST on.
    first, step, limit = int(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6])
    made, digest = context("flip")
    count = 0
    for bit in range(first, limit * 8, step):
        plain = socket.create_connection(("127.0.0.1", port), timeout=20)
        position = [0]

        def sendall(data):
            start = position[0]
            position[0] += len(data)
            if start <= bit // 8 < position[0]:
                data = bytearray(data)
                data[bit // 8 - start] ^= 1 << bit % 8
            plain.sendall(data)

        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        try:
            sendall(b"OCDP\x01\x02\x00\x00")
            if position[0] > 0 and len(plain.recv(8)) == 8:
                tls = made.wrap_bio(incoming, outgoing)

                def until(step_):
                    while True:
                        try:
                            result = step_()
                            sendall(outgoing.read())
                            return result
                        except ssl.SSLWantReadError:
                            sendall(outgoing.read())
                            data = plain.recv(65536)
                            if not data:
                                raise EOFError
                            incoming.write(data)
                until(tls.do_handshake)
                nonce = os.urandom(32)
                value = hello(digest, nonce=nonce)
                until(lambda: tls.write(frame(json.dumps(value).encode())))
                until(lambda: tls.read(4096))
                until(lambda: tls.write(frame(json.dumps(reveal(nonce)).encode()) + frame(b"x" * 3000)))
            plain.shutdown(socket.SHUT_WR)
            while plain.recv(65536):
                pass
        except (OSError, EOFError, ssl.SSLError):
            pass
        plain.close()
        count += 1
    say("flipped %d" % count)
