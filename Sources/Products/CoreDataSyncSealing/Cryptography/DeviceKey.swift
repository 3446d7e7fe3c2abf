/// The keys of this device in one group: an Ed25519 pair to sign and an X25519 pair to be sent keys, both from one seed.
///
/// A device has another key in each group, so that groups do not show that they have a device in common.
struct DeviceKey: Sendable {
    let seed: SecretBytes
    let identity: DeviceIdentity
    private let signing: SecretBytes
    private let opening: SecretBytes

    /// Makes the keys of a seed of 32 bytes.
    init(seed: SecretBytes, label: String) {
        self.seed = seed
        let signing = Sodium.signingKeys(seed: Sodium.subkey(1, of: seed))
        let box = Sodium.boxKeys(seed: Sodium.subkey(2, of: seed))
        (self.signing, opening) = (signing.secretKey, box.secretKey)
        identity = DeviceIdentity(
            signer: Fingerprint(signing.publicKey), receiver: Fingerprint(box.publicKey),
            label: DeviceIdentity.shortened(label))
    }

    /// - Throws: `SyncError` with the code `keys` if there are no random numbers.
    static func make(label: String) throws -> DeviceKey {
        try Sodium.start()
        return DeviceKey(seed: SecretBytes(Sodium.random(Sodium.keySize)), label: label)
    }

    func sign(_ bytes: [UInt8]) -> [UInt8] { Sodium.sign(bytes, with: signing) }

    /// The bytes that were sealed for this device; nil if they are for another one.
    func openBox(_ sealed: [UInt8]) -> [UInt8]? {
        Sodium.openBox(sealed, publicKey: identity.receiver.bytes, secretKey: opening)
    }
}

/// What others know of a device: its public keys, and the name that its user gave it.
struct DeviceIdentity: Hashable, Sendable {
    /// The Ed25519 key, by which the device is known.
    let signer: Fingerprint
    /// The X25519 key.
    let receiver: Fingerprint
    let label: String

    /// How many bytes a label has at most.
    static let greatestLabel = 64

    init(signer: Fingerprint, receiver: Fingerprint, label: String) {
        (self.signer, self.receiver, self.label) = (signer, receiver, label)
    }

    init(_ reader: inout SealReader) throws(SealFailure) {
        signer = try reader.fingerprint()
        receiver = try reader.fingerprint()
        label = try reader.text(atMost: Self.greatestLabel)
    }

    func write(to writer: inout SealWriter) {
        writer.raw(signer.bytes)
        writer.raw(receiver.bytes)
        writer.text(label)
    }

    /// A label that is short enough, cut off between characters.
    static func shortened(_ label: String) -> String {
        var short = label
        while short.utf8.count > greatestLabel { short.removeLast() }
        return short
    }
}
