import CoreDataSyncing

/// The member's side of pairing by a code: it answers one device that says hello on the transport, shows six digits, and admits the
/// device when its user says that the other one shows the same.
///
/// Call ``advance()`` every second or so, until it gives a code; then ``confirm()`` or ``cancel()``. A host serves one attempt.
public final class PairingHost {
    private let transport: SealedTransport
    /// The hellos that were there when pairing began, of which some may be left over; nil before.
    private var old: Set<[UInt8]>?
    private let channel: CodeExchange.Channel
    private var transcript: CodeExchange.Transcript?
    private var answer: PairingItem?

    /// Begins to pair; nothing is read or written yet.
    ///
    /// - Throws: `SyncError` with the code `keys` if there are no random numbers.
    public init(_ transport: SealedTransport) throws {
        try Sodium.start()
        self.transport = transport
        channel = CodeExchange.Channel()
    }

    /// Goes on as far as the other device has.
    ///
    /// - Throws: `SyncError` with the code `pairing` if two devices say hello at once or something was exchanged on the way, and what
    ///   the transport throws. The attempt has ended then.
    public func advance() throws -> PairingStage {
        let items = try transport.pairingItems()
        if transcript == nil { try answer(items.filter { $0.kind == .hello }) }
        guard var known = transcript else { return .waiting }
        if known.device == nil {
            let shown = Set(items.filter { $0.kind == .disclosure && $0.tag == known.tag })
            guard let disclosure = shown.first else { return .waiting }
            do {
                guard shown.count == 1 else { throw SealFailure.damaged }
                try CodeExchange.read(disclosure: disclosure, channel, into: &known)
            } catch {
                try cancel()
                throw PairingStage.interfered
            }
            transcript = known
        }
        return .comparing(code: known.code, label: known.device?.label)
    }

    private func answer(_ hellos: [PairingItem]) throws {
        let seen = Set(hellos.map(\.tag))
        guard let old else {
            // One that is alone was written by a device that began first; of several some are left over from other attempts.
            self.old = seen.count == 1 ? [] : seen
            return try seen.count == 1 ? answer(hellos) : ()
        }
        let fresh = Set(hellos.filter { !old.contains($0.tag) })
        guard let hello = fresh.first else { return }
        guard fresh.count == 1 else { throw PairingStage.severalDevices }
        var begun = CodeExchange.Transcript()
        do { try CodeExchange.read(hello: hello, into: &begun) } catch { throw PairingStage.interfered }
        begun.hostChannel = channel.publicKey
        begun.hostNumber = Sodium.random(CodeExchange.randomSize)
        begun.group = transport.fingerprint
        guard let made = try? CodeExchange.answer(begun) else { throw PairingStage.interfered }
        try transport.base.write(made.bytes, named: made.name)
        (transcript, answer) = (begun, made)
    }

    /// Admits the device whose code the user has compared.
    ///
    /// - Throws: `SyncError` with the code `pairing` if there is no code yet, and what the transport throws.
    public func confirm() throws {
        guard let device = transcript?.device else { throw PairingStage.tooEarly }
        try transport.admit(device)
        try cancel()
    }

    /// Ends the attempt, and removes what this device wrote for it.
    public func cancel() throws {
        if let answer { try transport.base.remove(answer.name) }
        (answer, transcript) = (nil, nil)
    }
}
