/// The keys of a group for one device, signed by the member that gives them and sealed for the receiver alone. Neither is said in clear.
struct KeyEnvelope: Hashable, Sendable {
    static let magic = Array("OCSK".utf8)
    /// How many keys a group has at most.
    static let greatestCount = 2_048
    /// The size of the largest envelope.
    static let greatestSize = openSize + Sodium.boxOverhead + fixedSize + greatestCount * Sodium.keySize
    /// The count of bytes before the box.
    private static let openSize = 8
    /// What an envelope has beside the keys: the group, the giver, the count, the signature.
    private static let fixedSize = 64 + 4 + Sodium.signatureSize
    /// Keys are filled up to a multiple of this count, so that a size does not say how many there are.
    private static let step = 16

    let giver: Fingerprint
    let keys: [SecretBytes]

    /// Seals keys for a device.
    ///
    /// - Throws: ``SealFailure`` with `damaged` if the receiver's key is none.
    static func seal(
        _ keys: [SealingKey], for receiver: DeviceIdentity, from giver: DeviceKey, group: Fingerprint
    ) throws(SealFailure) -> [UInt8] {
        let keys = keys.suffix(greatestCount)
        var writer = SealWriter()
        writer.raw(group.bytes)
        writer.raw(giver.identity.signer.bytes)
        writer.fixed(UInt64(keys.count), 4)
        for key in keys { writer.raw(key.secret.bytes) }
        writer.pad(to: 68 + (keys.count + step - 1) / step * step * Sodium.keySize)
        writer.raw(giver.sign(signed(writer.bytes, for: receiver.signer)))
        return magic + [SealedItem.version, 0, 0, 0] + (try Sodium.box(writer.bytes, for: receiver.receiver.bytes))
    }

    /// What the giver signs: the magic number keeps it apart from other signatures, the receiver from other envelopes.
    private static func signed(_ bytes: [UInt8], for receiver: Fingerprint) -> [UInt8] {
        magic + receiver.bytes + bytes
    }

    /// Opens an envelope; nil if it is for another device.
    ///
    /// - Throws: ``SealFailure`` if it is for this device and damaged, or of another group.
    static func open(_ bytes: [UInt8], with device: DeviceKey, group: Fingerprint) throws(SealFailure) -> KeyEnvelope? {
        guard bytes.count >= openSize, bytes[4] == SealedItem.version else { throw .newerVersion }
        guard let content = device.openBox(Array(bytes[openSize...])) else { return nil }
        guard content.count >= fixedSize else { throw .damaged }
        let plain = content.dropLast(Sodium.signatureSize)
        var reader = SealReader(plain)
        guard try reader.fingerprint() == group else { throw .damaged }
        let giver = try reader.fingerprint()
        let count = Int(try reader.fixed(4))
        guard count <= greatestCount, count <= reader.remaining / Sodium.keySize else { throw .damaged }
        var keys: [SecretBytes] = []
        for _ in 0..<count { keys.append(SecretBytes(try reader.raw(Sodium.keySize))) }
        try reader.padding()
        let signature = Array(content.suffix(Sodium.signatureSize))
        guard Sodium.isSignature(signature, of: signed(Array(plain), for: device.identity.signer), by: giver.bytes)
        else { throw .damaged }
        return KeyEnvelope(giver: giver, keys: keys)
    }

    /// The name under which the envelope of a key lies that gives it to a device.
    static func name(for receiver: Fingerprint, key: SealingKey) -> String {
        key.name(of: Array("envelope".utf8) + receiver.bytes)
    }
}
