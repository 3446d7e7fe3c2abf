/// The first 8 bytes in each direction, in clear: `OCDP`, the version of the protocol, the encryption, a refusal, 0.
///
/// The connecting side says what it wants, the other one what is done. What stands in clear may have been changed on its
/// way, so each side compares the result with its own preference.
struct WirePreamble: Equatable {
    enum Refusal: UInt8 {
        case none = 0
        case version = 1
        case encryption = 2
        case limit = 3
    }

    static let version: UInt8 = 1
    static let count = 8
    private static let mark = Array("OCDP".utf8)

    var version = Self.version
    /// A raw value of `WireEncryption` in the first direction; in the other one 1 if the connection is encrypted.
    var encryption: UInt8
    var refusal = Refusal.none

    init(encryption: UInt8, refusal: Refusal = .none) { (self.encryption, self.refusal) = (encryption, refusal) }

    /// - Throws: `PeerFailure` with `invalid` if the bytes do not begin as they must.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count == Self.count, Array(bytes[..<4]) == Self.mark, let refusal = Refusal(rawValue: bytes[6])
        else {
            throw PeerFailure(.invalid, "the other side does not speak the protocol of peers")
        }
        (version, encryption, self.refusal) = (bytes[4], bytes[5], refusal)
    }

    var bytes: [UInt8] { Self.mark + [version, encryption, refusal.rawValue, 0] }

    /// What the listening side answers.
    func answer(by own: WireEncryption) -> (WirePreamble, isEncrypted: Bool?) {
        guard version == Self.version else { return (WirePreamble(encryption: 0, refusal: .version), nil) }
        guard let wanted = WireEncryption(rawValue: encryption), let agreed = own.agreement(with: wanted) else {
            return (WirePreamble(encryption: own.rawValue, refusal: .encryption), nil)
        }
        return (WirePreamble(encryption: agreed ? 1 : 0), agreed)
    }

    /// What the connecting side learns from the answer: whether the connection is encrypted.
    ///
    /// - Throws: `PeerFailure` if the other side refuses, or does what is not allowed here.
    func agreement(for own: WireEncryption) throws -> Bool {
        switch refusal {
        case .version:
            throw PeerFailure(
                .version, "the other side speaks version \(version) of the protocol, this one \(Self.version)",
                hint: "update the older of the two programs")
        case .encryption:
            throw PeerFailure(
                .encryption, "one side demands encryption, the other refuses it",
                hint: "give both sessions the same encryption preference")
        case .limit:
            throw PeerFailure(.limit, "the other side has too many connections", hint: "try again later")
        case .none: break
        }
        let isEncrypted = encryption == 1
        guard version == Self.version, encryption <= 1, own != .required || isEncrypted else {
            throw PeerFailure(.encryption, "the other side leaves out the encryption that is required here")
        }
        guard own != .none || !isEncrypted else {
            throw PeerFailure(.encryption, "the other side encrypts although this one refuses it")
        }
        return isEncrypted
    }
}
