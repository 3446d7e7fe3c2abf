/// What a device says of the members of its group, with its signature. Statements are never changed, and count in any order.
struct Statement: Hashable, Sendable {
    /// What is said.
    enum Act: Hashable, Sendable {
        /// The first device begins a group; the digest of this statement names it.
        case founding(DeviceIdentity, salt: [UInt8])
        /// A device takes part from now on.
        case admission(DeviceIdentity)
        /// A device takes part no longer. What it had said and written until then is listed: nothing else of it counts.
        case revocation(Fingerprint, statements: Set<Fingerprint>, items: Set<Fingerprint>)
        /// A key, by its identifier, was made and given to members alone; the revocations that its maker knew are listed.
        case key([UInt8], after: Set<Fingerprint>)

        fileprivate var number: UInt8 {
            switch self {
            case .founding: 1
            case .admission: 2
            case .revocation: 3
            case .key: 4
            }
        }
    }

    static let magic = "OCSM"
    /// How many bytes a statement has at most.
    static let greatestSize = 16 << 20

    let signer: Fingerprint
    /// The group; zeros in the founding statement.
    let group: Fingerprint
    let act: Act
    let bytes: [UInt8]
    let identity: Fingerprint

    /// Makes a statement of this device.
    init(_ act: Act, by device: DeviceKey, group: Fingerprint = Fingerprint([])) {
        var writer = SealWriter(Self.magic)
        writer.raw([SealedItem.version, act.number])
        writer.raw(group.bytes)
        writer.raw(device.identity.signer.bytes)
        switch act {
        case .founding(let founder, let salt):
            founder.write(to: &writer)
            writer.raw(salt)
        case .admission(let admitted): admitted.write(to: &writer)
        case .revocation(let revoked, let statements, let items):
            writer.raw(revoked.bytes)
            writer.fingerprints(statements)
            writer.fingerprints(items)
        case .key(let identifier, let revocations):
            writer.raw(identifier)
            writer.fingerprints(revocations)
        }
        self.act = act
        self.group = group
        signer = device.identity.signer
        bytes = writer.bytes + device.sign(writer.bytes)
        identity = Fingerprint(Sodium.hash(bytes))
    }

    /// Reads a statement, and checks its signature.
    ///
    /// - Throws: ``SealFailure``.
    init(_ bytes: [UInt8]) throws(SealFailure) {
        guard bytes.count > Sodium.signatureSize, bytes.count <= Self.greatestSize else { throw .damaged }
        let signed = Array(bytes.dropLast(Sodium.signatureSize))
        var reader = SealReader(signed)
        guard try reader.raw(4) == Array(Self.magic.utf8) else { throw .damaged }
        guard try reader.fixed(1) == UInt64(SealedItem.version) else { throw .newerVersion }
        let number = UInt8(try reader.fixed(1))
        group = try reader.fingerprint()
        signer = try reader.fingerprint()
        act = try Act(number, &reader)
        try reader.finish()
        guard Sodium.isSignature(Array(bytes.suffix(Sodium.signatureSize)), of: signed, by: signer.bytes) else {
            throw .damaged
        }
        if case .founding(let founder, _) = act, founder.signer != signer { throw .damaged }
        self.bytes = bytes
        identity = Fingerprint(Sodium.hash(bytes))
    }

    /// Whether it is a statement of a group.
    func belongs(to group: Fingerprint) -> Bool {
        if case .founding = act { return identity == group }
        return self.group == group
    }
}

extension Statement.Act {
    fileprivate init(_ number: UInt8, _ reader: inout SealReader) throws(SealFailure) {
        switch number {
        case 1: self = .founding(try DeviceIdentity(&reader), salt: try reader.raw(16))
        case 2: self = .admission(try DeviceIdentity(&reader))
        case 3:
            self = .revocation(
                try reader.fingerprint(), statements: try reader.fingerprints(), items: try reader.fingerprints())
        case 4: self = .key(try reader.raw(SealingKey.identifierSize), after: try reader.fingerprints())
        default: throw .newerVersion
        }
    }
}
