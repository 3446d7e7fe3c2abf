/// An item as it lies on the transport: a head of a fixed size, and the content. Docs/SyncFormat.md has the bytes.
///
/// 1. Content and name are encrypted and authenticated together: neither can be exchanged for another item's.
/// 2. The author's signature covers the group, the key, the name and the digest of the sealed content: who holds the key alone
///    cannot write in the name of another device.
/// 3. The bytes are a function of key, author, kind, name and content.
enum SealedItem {
    static let magic = Array("OCSI".utf8)
    static let version: UInt8 = 1
    /// The count of bytes before the content: what is in clear, and the sealed head.
    static let headSize = openSize + plainHeadSize + Sodium.tagSize
    /// How many bytes of UTF-8 a name has at most.
    static let greatestName = 245
    /// How many bytes a content has at most.
    static let greatestContent = 257 << 20

    static let openSize = 48
    static let plainHeadSize = 384
    static let signedSize = plainHeadSize - Sodium.signatureSize

    /// What an item is.
    enum Kind: UInt8 {
        /// What a peer wrote for others.
        case content = 1
        /// A statement on the members, which has a signature of its own.
        case statement = 2
    }

    /// The size of an item by that of its content.
    static func size(of content: Int) -> Int { headSize + Padding.size(of: content) + Sodium.tagSize }

    /// Seals a content.
    ///
    /// - Parameter author: Signs the item; nil for a statement.
    static func seal(
        _ content: [UInt8], named name: String, _ kind: Kind, author: DeviceKey?, key: SealingKey, group: Fingerprint
    ) -> [UInt8] {
        var described = SealWriter()
        described.raw([kind.rawValue])
        described.raw((author?.identity.signer ?? Fingerprint([])).bytes)
        var source = described
        source.text(name)
        source.raw(Sodium.hash(content))
        let nonce = key.nonce(of: source.bytes)
        let open = open(key.identifier, nonce)
        var filled = SealWriter()
        filled.raw(content)
        filled.pad(to: Padding.size(of: content.count))
        let sealed = Sodium.encrypt(filled.bytes, with: open + group.bytes, nonce: nonce, key: key.content)
        described.fixed(UInt64(content.count), 8)
        described.raw(Sodium.hash(sealed))
        described.text(name)
        described.pad(to: signedSize)
        let signature = author?.sign(open + group.bytes + described.bytes)
        described.raw(signature ?? [UInt8](repeating: 0, count: Sodium.signatureSize))
        let head = Sodium.encrypt(described.bytes, with: open + group.bytes, nonce: nonce, key: key.head)
        return open + head + sealed
    }

    /// What is in clear: the format, the key's identifier and the nonce.
    private static func open(_ identifier: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
        var writer = SealWriter()
        writer.raw(magic)
        writer.raw([version, 0, 0, 0])
        writer.raw(identifier)
        writer.raw(nonce)
        return writer.bytes
    }

    /// The name under which an author's item lies.
    static func name(of name: String, author: Fingerprint, key: SealingKey) -> String {
        var writer = SealWriter("item")
        writer.raw(author.bytes)
        writer.text(name)
        return key.name(of: writer.bytes)
    }
}
