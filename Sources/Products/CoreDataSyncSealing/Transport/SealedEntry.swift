import CoreDataSyncing

/// What is known of an item of the transport beneath.
struct SealedEntry: Sendable {
    /// | found | what it is |
    /// |---|---|
    /// | `item` | what a peer wrote; `isDamaged` once its content was read and refused |
    /// | `statement` | a statement, by its digest |
    /// | `envelope` | keys, for this device or (nil) for another one |
    /// | `pairing` | of a device that is to be admitted |
    /// | `refused` | of no use |
    /// | `unread` | the transport did not give it; it is asked again |
    enum Found: Sendable {
        case item(SealedHead, isDamaged: Bool)
        case statement(Fingerprint)
        case envelope(KeyEnvelope?)
        case pairing(PairingItem)
        case refused(SealFailure)
        case unread(SyncError)
    }

    let item: SyncItem
    var found: Found

    /// Whether it needs not be looked at again while the item stays as it is.
    func isCurrent(_ other: SyncItem) -> Bool {
        if case .unread = found { return false }
        return item == other
    }

    var head: SealedHead? { if case .item(let head, _) = found { head } else { nil } }
    var isDamaged: Bool { if case .item(_, let isDamaged) = found { isDamaged } else { false } }
}

extension SealFailure {
    /// The failure of an item as the error that a transport throws.
    func error(_ name: String) -> SyncError {
        SyncError(mayPass ? .transport : .refusedItem, "The item '\(name)' \(reason).", cure: cure)
    }
}
