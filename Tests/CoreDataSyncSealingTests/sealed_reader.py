#!/usr/bin/env python3
"""A second reader and writer of the sealed items of Docs/SyncFormat.md, written from that page, with Debian's python3-nacl.

  sealed_reader.py FILE        FILE has a word and hexadecimal digits a line: seed, key and group, and then what is to be opened with
                               them: item, statement or envelope; prints what is in each, a line each
  sealed_reader.py --vectors   prints the test vectors
"""
import hashlib
import sys

import nacl.bindings as sodium


def number(data):
    return int.from_bytes(data, "little")


def digest(data, key=b"", size=32):
    return hashlib.blake2b(data, key=key, digest_size=size).digest()


def subkey(place, key):
    """What libsodium calls crypto_kdf_derive_from_key."""
    salt = place.to_bytes(8, "little") + bytes(8)
    return hashlib.blake2b(b"", key=key, digest_size=32, salt=salt, person=b"OCSYSEAL" + bytes(8)).digest()


def text(value):
    data = value.encode()
    return len(data).to_bytes(2, "little") + data


class Device:
    def __init__(self, seed):
        self.signer, self.signing = sodium.crypto_sign_seed_keypair(subkey(1, seed))
        self.receiver, self.opening = sodium.crypto_box_seed_keypair(subkey(2, seed))

    def sign(self, data):
        return sodium.crypto_sign(data, self.signing)[:64]


def verify(signature, data, signer):
    sodium.crypto_sign_open(signature + data, signer)


def identifier(key):
    return digest(b"OCSY key", subkey(1, key), 16)


def padded(size):
    step = max(512, 1 << max(0, max(1, size).bit_length() - 4))
    return max(512, -(-size // step) * step)


def seal(content, name, device, key, group):
    author = b"\1" + device.signer
    nonce = digest(author + text(name) + digest(content), subkey(5, key), 24)
    start = b"OCSI\1\0\0\0" + identifier(key) + nonce
    body = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
        content + bytes(padded(len(content)) - len(content)), start + group, nonce, subkey(3, key))
    head = author + len(content).to_bytes(8, "little") + digest(body) + text(name)
    head += bytes(320 - len(head))
    head += device.sign(start + group + head)
    return start + sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(head, start + group, nonce, subkey(2, key)) + body


def item_name(name, device, key):
    return digest(b"item" + device.signer + text(name), subkey(4, key), 20).hex() + ".ocsync"


def read_item(data, key, group):
    start, nonce = data[:48], data[24:48]
    if start[:8] != b"OCSI\1\0\0\0" or start[8:24] != identifier(key):
        raise ValueError("another format or key")
    head = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(data[48:448], start + group, nonce, subkey(2, key))
    size, body = number(head[33:41]), data[448:]
    name = head[75:75 + number(head[73:75])].decode()
    if digest(body) != head[41:73] or len(body) != padded(size) + 16:
        raise ValueError("another content")
    if head[0] == 1:
        verify(head[320:], start + group + head[:320], head[1:33])
    content = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(body, start + group, nonce, subkey(3, key))
    if any(content[size:]):
        raise ValueError("padding")
    return f"item {head[0]} {head[1:33].hex()} {name} {content[:size].hex()}"


def read_statement(data):
    if data[:5] != b"OCSM\1":
        raise ValueError("another format")
    verify(data[-64:], data[:-64], data[38:70])
    body, kind = data[70:-64], data[5]
    if kind in (1, 2):
        count = number(body[64:66])
        detail = f"{body[:32].hex()} {body[66:66 + count].decode()}"
    elif kind == 3:
        statements = number(body[32:36])
        items = number(body[36 + 32 * statements:40 + 32 * statements])
        detail = f"{body[:32].hex()} {statements} {items}"
    else:
        detail = f"{body[:16].hex()} {number(body[16:20])}"
    return f"statement {kind} {data[38:70].hex()} {digest(data).hex()} {detail}"


def read_envelope(data, device, group):
    if data[:8] != b"OCSK\1\0\0\0":
        raise ValueError("another format")
    content = sodium.crypto_box_seal_open(data[8:], device.receiver, device.opening)
    plain, count = content[:-64], number(content[64:68])
    if plain[:32] != group:
        raise ValueError("another group")
    verify(content[-64:], b"OCSK" + device.signer + plain, plain[32:64])
    keys = [plain[68 + 32 * place:100 + 32 * place].hex() for place in range(count)]
    return " ".join(["envelope", plain[32:64].hex()] + keys)


def vectors():
    device, key, group = Device(bytes(range(32))), bytes(range(32, 64)), bytes(range(64, 96))
    sealed = seal(b"content", "name", device, key, group)
    founding = b"OCSM\1\1" + bytes(32) + device.signer + device.signer + device.receiver + text("device") + bytes(range(16))
    founding += device.sign(founding)
    for what, data in [
        ("signing key", device.signer), ("receiving key", device.receiver), ("identifier of the key", identifier(key)),
        ("nonce", sealed[24:48]), ("digest of the item", digest(sealed)), ("digest of the head", digest(sealed[:448])),
        ("fingerprint of the group", digest(founding)),
    ]:
        print(f"{what}: {data.hex()}")
    print(f"name of the item: {item_name('name', device, key)}")


def main():
    if sys.argv[1:] == ["--vectors"]:
        return vectors()
    known = {}
    with open(sys.argv[1], encoding="ascii") as lines:
        for line in lines:
            word, data = line.split()
            data = bytes.fromhex(data)
            if word == "item":
                print(read_item(data, known["key"], known["group"]))
            elif word == "statement":
                print(read_statement(data))
            elif word == "envelope":
                print(read_envelope(data, Device(known["seed"]), known["group"]))
            else:
                known[word] = data


main()
