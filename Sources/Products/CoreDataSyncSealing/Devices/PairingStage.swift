import CoreDataSyncing

/// How far pairing by a code is.
public enum PairingStage: Sendable, Hashable {
    /// The other device has not gone on yet.
    case waiting
    /// Both devices show six digits, which their users compare. The label is what the joining device calls itself; nil at that device.
    case comparing(code: String, label: String?)

    static let interfered = SyncError(
        .pairing, "The pairing was broken off: an answer does not belong to what was written before.",
        cure: "Begin again on both devices. If it happens again, others write to the place: pair by a text.")

    static let severalDevices = SyncError(
        .pairing, "Several devices want to be paired at once.", cure: "Pair one after the other.")

    static let tooEarly = SyncError(
        .pairing, "There is no code yet to be confirmed.", cure: "Wait for the other device.")
}

extension SealedTransport {
    /// What devices have written to be paired.
    func pairingItems() throws -> [PairingItem] {
        try update { state in
            guard state.isMember else { throw state.refusalOfDevice(at: now) }
            return state.entries.values.compactMap { entry in
                if case .pairing(let item) = entry.found { item } else { nil }
            }
        }
    }

    /// Lets a device take part, and gives it the keys.
    func admit(_ device: DeviceIdentity) throws {
        try update { state in
            guard state.isMember else { throw state.refusalOfDevice(at: now) }
            try state.admit(device)
            try state.maintain(base, at: now)
        }
    }
}
