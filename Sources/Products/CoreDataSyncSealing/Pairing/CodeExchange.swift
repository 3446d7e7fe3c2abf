/// The messages of pairing by a short code, and the code.
///
/// The joining device commits itself to its keys and a random number (`hello`); the member answers with one of its own (`answer`); only then
/// the joining device shows what it had committed itself to (`disclosure`). Both compute six digits from all of it. A third party between
/// them must choose its numbers before it knows those of the other side, so that both codes are equal in one attempt of a million: the
/// protocol of Vaudenay (Secure Communications over Insecure Channels Based on Short Authenticated Strings, CRYPTO 2005), which ZRTP
/// (RFC 6189, 4.2 and 7) and the numeric comparison of Bluetooth use as well.
enum CodeExchange {
    static let randomSize = 32

    /// What the joining device chooses, and keeps until it is answered.
    struct Guest: Sendable {
        let device: DeviceKey
        let tag: [UInt8]
        let number: [UInt8]
        /// Keys for this pairing alone, so that those of the device are shown to the member only.
        let channel: Channel

        init(label: String) throws {
            device = try DeviceKey.make(label: label)
            tag = Sodium.random(PairingItem.tagSize)
            number = Sodium.random(CodeExchange.randomSize)
            channel = Channel()
        }

        var commitment: [UInt8] {
            CodeExchange.commitment(tag, channel.publicKey, device.identity, number)
        }

        var hello: PairingItem { PairingItem(.hello, tag: tag, channel.publicKey + commitment) }

        /// - Throws: ``SealFailure`` with `damaged` if the member's key is none.
        func disclosure(to host: [UInt8]) throws(SealFailure) -> PairingItem {
            var writer = SealWriter()
            writer.raw(number)
            device.identity.write(to: &writer)
            writer.pad(to: CodeExchange.disclosureSize)
            return PairingItem(.disclosure, tag: tag, try Sodium.box(writer.bytes, for: host))
        }
    }

    /// A pair of X25519 keys for one pairing.
    struct Channel: Sendable {
        let publicKey: [UInt8]
        private let secretKey: SecretBytes

        init() {
            let keys = Sodium.boxKeys(seed: SecretBytes(Sodium.random(Sodium.keySize)))
            (publicKey, secretKey) = (keys.publicKey, keys.secretKey)
        }

        func open(_ bytes: [UInt8]) -> [UInt8]? {
            Sodium.openBox(bytes, publicKey: publicKey, secretKey: secretKey)
        }
    }

    /// What both sides know at the end.
    struct Transcript: Hashable, Sendable {
        var tag: [UInt8] = []
        var guestChannel: [UInt8] = []
        var commitment: [UInt8] = []
        var hostChannel: [UInt8] = []
        var hostNumber: [UInt8] = []
        var group = Fingerprint([])
        var guestNumber: [UInt8] = []
        var device: DeviceIdentity?

        /// Six digits that are equal on both sides if nothing was exchanged on the way.
        var code: String {
            var writer = SealWriter("OCSY code")
            for part in [tag, guestChannel, commitment, hostChannel, hostNumber, group.bytes, guestNumber] {
                writer.raw(part)
            }
            device?.write(to: &writer)
            let digest = Sodium.hash(writer.bytes)
            // 64 bits: the remainders differ in frequency by less than one in ten million millions.
            let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
            let digits = String(1_000_000 + number).dropFirst()
            return "\(digits.prefix(3)) \(digits.suffix(3))"
        }
    }

    static let disclosureSize = randomSize + 64 + 2 + DeviceIdentity.greatestLabel

    static func commitment(
        _ tag: [UInt8], _ channel: [UInt8], _ device: DeviceIdentity, _ number: [UInt8]
    ) -> [UInt8] {
        var writer = SealWriter("OCSY commitment")
        writer.raw(tag)
        writer.raw(channel)
        writer.raw(number)
        device.write(to: &writer)
        return Sodium.hash(writer.bytes)
    }

    /// The member's answer: its key for this pairing, its number, and the group for the joining device alone.
    ///
    /// - Throws: ``SealFailure`` with `damaged` if the joining device's key is none.
    static func answer(_ transcript: Transcript) throws(SealFailure) -> PairingItem {
        let box = try Sodium.box(transcript.group.bytes, for: transcript.guestChannel)
        return PairingItem(.answer, tag: transcript.tag, transcript.hostChannel + transcript.hostNumber + box)
    }

    /// Reads a hello.
    static func read(hello: PairingItem, into transcript: inout Transcript) throws(SealFailure) {
        var reader = SealReader(hello.content)
        transcript.tag = hello.tag
        transcript.guestChannel = try reader.raw(Sodium.keySize)
        transcript.commitment = try reader.raw(32)
        try reader.padding()
    }

    /// Reads an answer, which must be for the channel.
    static func read(answer: PairingItem, _ channel: Channel, into transcript: inout Transcript) throws(SealFailure) {
        var reader = SealReader(answer.content)
        transcript.hostChannel = try reader.raw(Sodium.keySize)
        transcript.hostNumber = try reader.raw(randomSize)
        guard let group = channel.open(try reader.raw(Fingerprint.size + Sodium.boxOverhead)) else { throw .damaged }
        try reader.padding()
        transcript.group = Fingerprint(group)
    }

    /// Reads what the joining device had committed itself to.
    ///
    /// - Throws: ``SealFailure`` with `damaged` if it is something else.
    static func read(
        disclosure: PairingItem, _ channel: Channel, into transcript: inout Transcript
    ) throws(SealFailure) {
        var reader = SealReader(disclosure.content)
        guard let plain = channel.open(try reader.raw(disclosureSize + Sodium.boxOverhead)) else { throw .damaged }
        try reader.padding()
        var content = SealReader(plain)
        let number = try content.raw(randomSize)
        let device = try DeviceIdentity(&content)
        try content.padding()
        guard commitment(transcript.tag, transcript.guestChannel, device, number) == transcript.commitment else {
            throw .damaged
        }
        (transcript.guestNumber, transcript.device) = (number, device)
    }
}
