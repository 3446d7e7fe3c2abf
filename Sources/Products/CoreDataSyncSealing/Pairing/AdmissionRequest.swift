/// The request of a device that has a text: its public keys, sealed with the text's secret, and its signature.
struct AdmissionRequest {
    private static let plainSize = PairingItem.size - 8 - PairingItem.tagSize - Sodium.nonceSize - Sodium.tagSize

    /// Seals the request of a device.
    static func item(_ device: DeviceKey, _ secret: PairingSecret, group: Fingerprint) -> PairingItem {
        var writer = SealWriter()
        device.identity.write(to: &writer)
        writer.raw(device.sign(signed(writer.bytes, secret, group)))
        writer.pad(to: plainSize)
        // The same device asks with the same bytes.
        let nonce = Sodium.hash(writer.bytes, key: secret.nonceKey, count: Sodium.nonceSize)
        let open = PairingItem(.request, tag: secret.tag, []).open
        let sealed = Sodium.encrypt(writer.bytes, with: open + group.bytes, nonce: nonce, key: secret.key)
        return PairingItem(.request, tag: secret.tag, nonce + sealed)
    }

    /// The device that asks.
    ///
    /// - Throws: ``SealFailure`` with `damaged` if it does not have the secret, or the group is another one.
    static func device(_ item: PairingItem, _ secret: PairingSecret, group: Fingerprint) throws(SealFailure)
        -> DeviceIdentity
    {
        var reader = SealReader(item.content)
        let nonce = try reader.raw(Sodium.nonceSize)
        let sealed = try reader.raw(reader.remaining)
        let plain = try Sodium.decrypt(sealed, with: item.open + group.bytes, nonce: nonce, key: secret.key)
        var content = SealReader(plain)
        let device = try DeviceIdentity(&content)
        var writer = SealWriter()
        device.write(to: &writer)
        let signature = try content.raw(Sodium.signatureSize)
        try content.padding()
        guard Sodium.isSignature(signature, of: signed(writer.bytes, secret, group), by: device.signer.bytes) else {
            throw .damaged
        }
        return device
    }

    private static func signed(_ device: [UInt8], _ secret: PairingSecret, _ group: Fingerprint) -> [UInt8] {
        PairingItem.magic + [PairingItem.Kind.request.rawValue] + group.bytes + secret.tag + device
    }
}
