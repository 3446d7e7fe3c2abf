/// What devices write for each other before they have a key in common: a tag that says to which pairing it belongs, and bytes.
struct PairingItem: Hashable, Sendable {
    /// The steps of both ways to pair.
    enum Kind: UInt8 {
        /// A device asks to be admitted, by a text.
        case request = 1
        /// By a code: a device commits itself to its keys.
        case hello = 2
        /// A member answers with a random number.
        case answer = 3
        /// The device shows what it had committed itself to.
        case disclosure = 4
    }

    static let magic = Array("OCSP".utf8)
    static let tagSize = 16
    /// The size of each item: they do not differ by their sizes.
    static let size = 512
    private static let openSize = 8 + tagSize

    let kind: Kind
    let tag: [UInt8]
    /// The content, which zeros may follow.
    let content: [UInt8]

    init(_ kind: Kind, tag: [UInt8], _ content: [UInt8]) {
        (self.kind, self.tag, self.content) = (kind, tag, content)
    }

    /// - Throws: ``SealFailure``.
    init(_ bytes: [UInt8]) throws(SealFailure) {
        guard bytes.starts(with: Self.magic) else { throw .notSealed }
        guard bytes.count == Self.size else { throw .damaged }
        guard bytes[4] == SealedItem.version, let kind = Kind(rawValue: bytes[5]) else { throw .newerVersion }
        guard bytes[6] == 0, bytes[7] == 0 else { throw .damaged }
        self.kind = kind
        tag = Array(bytes[8..<Self.openSize])
        content = Array(bytes[Self.openSize...])
    }

    var bytes: [UInt8] {
        var writer = SealWriter()
        writer.raw(open)
        writer.raw(content)
        writer.pad(to: Self.size)
        return writer.bytes
    }

    /// What is in clear of every item.
    var open: [UInt8] { Self.magic + [SealedItem.version, kind.rawValue, 0, 0] + tag }

    /// The name under which the item lies: random, since tags are.
    var name: String {
        Hexadecimal.text(Sodium.hash(bytes, count: 20)) + SealingKey.nameEnding
    }
}

extension PairingItem {
    /// The item as it is read: with the zeros that follow its content.
    var padded: PairingItem {
        PairingItem(
            kind, tag: tag, content + [UInt8](repeating: 0, count: max(0, Self.size - Self.openSize - content.count)))
    }
}
