/// The head of a sealed item, opened: who wrote what under which name.
struct SealedHead: Hashable, Sendable {
    let kind: SealedItem.Kind
    let author: Fingerprint
    let name: String
    /// The count of bytes of the content.
    let size: Int
    /// The identifier of the key.
    let key: [UInt8]
    /// The digest of the head, which names the item: the head has the digest of the rest.
    let identity: Fingerprint
    private let contentDigest: [UInt8]
    private let open: [UInt8]

    /// The identifier of the key of an item that begins with some bytes.
    ///
    /// - Throws: ``SealFailure`` if they are not the beginning of a sealed item.
    static func key(_ bytes: [UInt8]) throws(SealFailure) -> [UInt8] {
        guard bytes.starts(with: SealedItem.magic) else { throw .notSealed }
        guard bytes.count >= SealedItem.headSize else { throw .damaged }
        guard bytes[4] == SealedItem.version else { throw .newerVersion }
        guard bytes[5..<8].allSatisfy({ $0 == 0 }) else { throw .damaged }
        return Array(bytes[8..<8 + SealingKey.identifierSize])
    }

    /// Opens the head of an item, and checks its signature.
    ///
    /// - Parameters:
    ///   - bytes: The item, or its first bytes.
    ///   - total: The size of the whole item.
    /// - Throws: ``SealFailure``.
    init(_ bytes: [UInt8], total: Int, key: SealingKey, group: Fingerprint) throws(SealFailure) {
        guard try Self.key(bytes) == key.identifier else { throw .unknownKey }
        open = Array(bytes[..<SealedItem.openSize])
        let plain = try Sodium.decrypt(
            Array(bytes[SealedItem.openSize..<SealedItem.headSize]), with: open + group.bytes,
            nonce: Array(open.suffix(Sodium.nonceSize)), key: key.head)
        var reader = SealReader(plain[..<SealedItem.signedSize])
        guard let kind = SealedItem.Kind(rawValue: UInt8(try reader.fixed(1))) else { throw .newerVersion }
        self.kind = kind
        author = try reader.fingerprint()
        guard let size = Int(exactly: try reader.fixed(8)), size >= 0, size <= SealedItem.greatestContent else {
            throw .tooLarge
        }
        self.size = size
        contentDigest = try reader.raw(32)
        name = try reader.text(atMost: SealedItem.greatestName)
        try reader.padding()
        guard total == SealedItem.size(of: size) else { throw .damaged }
        let isSigned = Sodium.isSignature(
            Array(plain[SealedItem.signedSize...]), of: open + group.bytes + plain[..<SealedItem.signedSize],
            by: author.bytes)
        guard isSigned || kind == .statement else { throw .damaged }
        self.key = key.identifier
        identity = Fingerprint(Sodium.hash(bytes[..<SealedItem.headSize]))
    }

    /// Opens the content of the item that has this head.
    ///
    /// - Parameter bytes: The whole item.
    /// - Throws: ``SealFailure`` with `damaged` if it is another one, or a byte is.
    func content(_ bytes: [UInt8], key: SealingKey, group: Fingerprint) throws(SealFailure) -> [UInt8] {
        guard bytes.count == SealedItem.size(of: size), bytes.starts(with: open),
            Fingerprint(Sodium.hash(bytes[..<SealedItem.headSize])) == identity
        else { throw .damaged }
        let sealed = Array(bytes[SealedItem.headSize...])
        guard Sodium.hash(sealed) == contentDigest else { throw .damaged }
        let filled = try Sodium.decrypt(
            sealed, with: open + group.bytes, nonce: Array(open.suffix(Sodium.nonceSize)), key: key.content)
        guard filled[size...].allSatisfy({ $0 == 0 }) else { throw .damaged }
        return Array(filled[..<size])
    }
}
