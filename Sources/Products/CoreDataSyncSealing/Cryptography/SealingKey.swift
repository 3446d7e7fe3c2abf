/// A key that the members of a group share, and what is derived from it: each use has a key of its own.
struct SealingKey: Hashable, Sendable {
    /// The count of bytes of an identifier.
    static let identifierSize = 16
    /// How the names of all that lies on the transport end.
    static let nameEnding = ".ocsync"

    let secret: SecretBytes
    /// What names the key and discloses nothing of it; a key that does not have it is another one.
    let identifier: [UInt8]
    let head: SecretBytes
    let content: SecretBytes
    private let name: SecretBytes
    private let nonce: SecretBytes

    init(_ secret: SecretBytes) {
        self.secret = secret
        identifier = Sodium.hash(Array("OCSY key".utf8), key: Sodium.subkey(1, of: secret), count: Self.identifierSize)
        head = Sodium.subkey(2, of: secret)
        content = Sodium.subkey(3, of: secret)
        name = Sodium.subkey(4, of: secret)
        nonce = Sodium.subkey(5, of: secret)
    }

    static func make() -> SealingKey { SealingKey(SecretBytes(Sodium.random(Sodium.keySize))) }

    /// The name under which something lies on the transport: the same for the same bytes, and of no meaning without the key.
    func name(of bytes: [UInt8]) -> String {
        Hexadecimal.text(Sodium.hash(bytes, key: name, count: 20)) + Self.nameEnding
    }

    /// The nonce of something: the same for the same bytes alone, as in deterministic authenticated encryption (RFC 5297), so that an item
    /// that is written again has the same bytes, and no nonce serves two contents.
    func nonce(of bytes: [UInt8]) -> [UInt8] { Sodium.hash(bytes, key: nonce, count: Sodium.nonceSize) }
}
