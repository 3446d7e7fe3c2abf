import CoreDataSyncing

/// The joining device's side of pairing by a code.
///
/// Call ``advance()`` every second or so, until it gives a code; then ``confirm()`` or ``cancel()``. A guest serves one attempt.
public final class PairingGuest {
    private let base: any SyncTransport
    private let folder: KeyFolder
    private let guest: CodeExchange.Guest
    private var written: [PairingItem] = []
    private var transcript: CodeExchange.Transcript?

    /// Begins to pair; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - base: The transport beneath, which a member uses too.
    ///   - label: What the user calls this device.
    /// - Throws: `SyncError` with the code `keys` if there are no random numbers.
    public init(over base: any SyncTransport, label: String, keys: KeyFolder) throws {
        self.base = base
        folder = keys
        guest = try CodeExchange.Guest(label: label)
    }

    /// Goes on as far as the member has.
    ///
    /// - Throws: `SyncError` with the code `pairing` if two devices answer or something was exchanged on the way, and what the transport
    ///   throws. The attempt has ended then.
    public func advance() throws -> PairingStage {
        if written.isEmpty { try write(guest.hello) }
        if transcript == nil {
            let answers = Set(try items().filter { $0.kind == .answer && $0.tag == guest.tag })
            guard let answer = answers.first else { return .waiting }
            do {
                guard answers.count == 1 else { throw SealFailure.damaged }
                try take(answer)
            } catch is SealFailure {
                try cancel()
                throw PairingStage.interfered
            }
        }
        return transcript.map { .comparing(code: $0.code, label: nil) } ?? .waiting
    }

    private func take(_ answer: PairingItem) throws {
        var known = CodeExchange.Transcript()
        try CodeExchange.read(hello: guest.hello.padded, into: &known)
        try CodeExchange.read(answer: answer, guest.channel, into: &known)
        (known.guestNumber, known.device) = (guest.number, guest.device.identity)
        try write(try guest.disclosure(to: known.hostChannel))
        transcript = known
    }

    private func items() throws -> [PairingItem] {
        try base.items().filter { $0.size == PairingItem.size }.compactMap { item in
            try base.read(item, atMost: PairingItem.size).flatMap { try? PairingItem($0) }
        }
    }

    private func write(_ item: PairingItem) throws {
        try base.write(item.bytes, named: item.name)
        written.append(item)
    }

    /// Joins the group whose member shows the same code. Until the member has confirmed too, the transport says that this device waits.
    ///
    /// - Throws: `SyncError` with the code `pairing` if there is no code yet, and with `keys`.
    public func confirm() throws -> SealedTransport {
        guard let transcript else { throw PairingStage.tooEarly }
        try folder.join(transcript.group, guest.device, false) { _ in }
        return try SealedTransport(base, transcript.group, folder)
    }

    /// Ends the attempt, and removes what this device wrote for it; after ``confirm()`` as well, once the member has confirmed.
    public func cancel() throws {
        for item in written { try base.remove(item.name) }
        (written, transcript) = ([], nil)
    }
}
