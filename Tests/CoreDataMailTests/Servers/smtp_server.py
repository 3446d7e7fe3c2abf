#!/usr/bin/env python3
"""An SMTP server on a free port of the loopback address for the tests of CoreDataMail.

  smtp_server.py good FOLDER [starttls|tls|plain] [CERTIFICATE KEY] [login] [size=N]   a real one: aiosmtpd, Debian's python3-aiosmtpd
  smtp_server.py FAULT FOLDER                                                          one that does a thing wrong, see `Faulty`

Prints its port on a line. A message that was accepted lies in FOLDER as N.eml, with its envelope as N.json; a line is printed for each.
"""
import json
import os
import socket
import ssl
import sys
import threading
import time

folder = sys.argv[2]
lock = threading.Lock()
count = 0


def keep(sender, recipients, content):
    global count
    with lock:
        count += 1
        with open(os.path.join(folder, f"{count}.eml"), "wb") as file:
            file.write(content)
        with open(os.path.join(folder, f"{count}.json"), "w") as file:
            json.dump({"sender": sender, "recipients": recipients}, file)
        print("message", count, flush=True)


def good(options):
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult, LoginPassword

    class Handler:
        async def handle_RCPT(self, server, session, envelope, address, options):
            if address.startswith("refused"):
                return "550 5.1.1 no such mailbox here"
            if address.startswith("later"):
                return "450 4.2.1 mailbox busy"
            envelope.rcpt_tos.append(address)
            return "250 OK"

        async def handle_DATA(self, server, session, envelope):
            keep(envelope.mail_from, envelope.rcpt_tos, envelope.content)
            return "250 2.0.0 queued as 4711"

    def check(server, session, envelope, mechanism, data):
        if isinstance(data, LoginPassword):
            # Not handled: the server itself answers a refusal.
            return AuthResult(success=(data.login, data.password) == (b"anne", b"s3cret \xc3\xa4"), handled=False)
        return AuthResult(success=False, handled=False)

    kind = options[0]
    context = None
    if kind != "plain":
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(options[1], options[2])
    size = next((int(o[5:]) for o in options if o.startswith("size=")), 50_000_000)
    settings = {"data_size_limit": size, "hostname": "localhost"}
    if "login" in options:
        settings |= {"authenticator": check, "auth_required": True, "auth_require_tls": kind == "starttls"}
    if kind == "starttls":
        settings |= {"tls_context": context, "require_starttls": True}

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    controller = Controller(
        Handler(), port=port, server_hostname="localhost", **(settings | {"hostname": "127.0.0.1"}),
        ssl_context=context if kind == "tls" else None)
    controller.start()
    print(port, flush=True)
    threading.Event().wait()


class Faulty:
    """A server in plain text that does what its fault says, and is right otherwise."""

    def __init__(self, fault):
        self.fault = fault
        self.connections = 0
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            self.connections += 1
            threading.Thread(target=self.serve, args=(connection, self.connections), daemon=True).start()

    def say(self, connection, text):
        if self.fault == "drips":
            for byte in (text + "\r\n").encode():
                connection.sendall(bytes([byte]))
                time.sleep(0.15)
            return
        connection.sendall((text + "\r\n").encode())

    def serve(self, connection, number):
        try:
            self.converse(connection, number)
        except OSError:
            pass
        finally:
            connection.close()

    def converse(self, connection, number):
        fault = self.fault
        if fault == "stalls-at-once":
            time.sleep(60)
        if fault == "busy" or fault == "busy-once" and number == 1:
            return self.say(connection, "421 4.3.2 too many connections")
        if fault == "no-mail":
            return connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        if fault == "floods":
            while True:
                connection.sendall(b"220-" + b"x" * 10_000 + b"\r\n")
        self.say(connection, "220 fault ESMTP")
        reader = connection.makefile("rb")
        sender, recipients = "", []
        while line := reader.readline():
            word = line[:4].upper()
            if word == b"EHLO":
                offers = {"lies-starttls": ["STARTTLS"], "lies-login": ["AUTH PLAIN LOGIN"], "lies-size": ["SIZE 1000000000"],
                          "lies-size-late": ["SIZE 1000000000"], "huge-size": ["SIZE 99999999999999999999999"]}
                lines = ["fault"] + offers.get(fault, [])
                for text in lines[:-1]:
                    self.say(connection, "250-" + text)
                self.say(connection, "250 " + lines[-1])
            elif word == b"STAR":
                self.say(connection, "454 4.7.0 TLS not available")
            elif word == b"AUTH":
                self.say(connection, "535 5.7.8 wrong")
            elif word == b"MAIL":
                if fault == "lies-size":
                    self.say(connection, "552 5.3.4 too big")
                    continue
                if fault == "stalls-at-mail":
                    time.sleep(60)
                if fault == "garbage":
                    connection.sendall(b"\x00\xff\xfe what?\r\n")
                    continue
                sender, recipients = line[line.index(b"<") + 1:line.index(b">")].decode(), []
                self.say(connection, "250 OK")
            elif word == b"RCPT":
                recipients.append(line[line.index(b"<") + 1:line.index(b">")].decode())
                self.say(connection, "250 OK")
            elif word == b"DATA":
                self.say(connection, "354 go on")
                if not self.take(connection, reader, sender, recipients):
                    return
            elif word == b"QUIT":
                return self.say(connection, "221 bye")
            else:
                self.say(connection, "250 OK")

    def take(self, connection, reader, sender, recipients):
        fault = self.fault
        content = b""
        while True:
            line = reader.readline()
            if not line:
                return False
            if fault == "drops-in-data" and len(content) > 5_000:
                return False
            if fault == "says-why" and len(content) > 5_000:
                self.say(connection, "552 5.2.2 mailbox full")
                # What is on the way is read, so that the reply is not lost with the connection.
                connection.shutdown(socket.SHUT_WR)
                while reader.read(65_536):
                    pass
                return False
            if fault == "stops-reading" and len(content) > 5_000:
                time.sleep(60)
            if line == b".\r\n":
                break
            content += line[1:] if line.startswith(b".") else line
        if fault == "drops-after-dot":
            keep(sender, recipients, content)
            return False
        if fault == "stalls-after-dot":
            keep(sender, recipients, content)
            time.sleep(60)
        if fault == "lies-size-late":
            self.say(connection, "552 5.3.4 too big after all")
            return True
        keep(sender, recipients, content)
        self.say(connection, "250 2.0.0 OK")
        return True


if sys.argv[1] == "good":
    good(sys.argv[3:])
else:
    Faulty(sys.argv[1])
