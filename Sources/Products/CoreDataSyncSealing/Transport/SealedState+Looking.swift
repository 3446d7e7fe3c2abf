import CoreDataSyncing
import Foundation

extension SealedState {
    /// Looks at what is new on the transport beneath.
    ///
    /// - Throws: What the transport throws when it lists its items, and `SyncError` with the code `keys`.
    mutating func look(at base: any SyncTransport) throws {
        let listing = try base.items()
        let names = Set(listing.map(\.name))
        entries = entries.filter { names.contains($0.key) }
        for item in listing where entries[item.name]?.isCurrent(item) != true {
            let found = found(item, base)
            entries[item.name] = SealedEntry(item: item, found: found)
        }
        takeKeys()
        while keys.count != triedKeys {
            triedKeys = keys.count
            for (name, entry) in entries {
                guard case .refused(.unknownKey) = entry.found else { continue }
                let found = found(entry.item, base)
                entries[name]?.found = found
            }
            takeKeys()
        }
        membership.add(readStatements)
        readStatements = []
        try keep()
    }

    private mutating func takeKeys() {
        add(
            entries.values.flatMap { entry -> [SecretBytes] in
                guard case .envelope(let envelope?) = entry.found else { return [] }
                return envelope.keys
            })
    }

    private mutating func found(_ item: SyncItem, _ base: any SyncTransport) -> SealedEntry.Found {
        do {
            return try read(item, base)
        } catch let failure as SealFailure {
            return .refused(failure)
        } catch {
            let known = error as? SyncError
            return .unread(
                known
                    ?? SyncError(
                        .transport, "The item '\(item.name)' cannot be read: \(error.localizedDescription)",
                        cure: "Check the place where it lies, and exchange again."))
        }
    }

    private mutating func read(_ item: SyncItem, _ base: any SyncTransport) throws -> SealedEntry.Found {
        guard let start = try base.read(item, atMost: SealedItem.headSize) else { throw SealFailure.damaged }
        guard start.count >= 4 else { throw SealFailure.damaged }
        if start.starts(with: KeyEnvelope.magic) {
            return .envelope(
                try KeyEnvelope.open(try whole(item, KeyEnvelope.greatestSize, base), with: device, group: group))
        }
        if start.starts(with: PairingItem.magic) {
            return .pairing(try PairingItem(try whole(item, PairingItem.size, base)))
        }
        guard let key = keys[try SealedHead.key(start)] else { throw SealFailure.unknownKey }
        let head = try SealedHead(start, total: item.size, key: key, group: group)
        guard head.kind == .statement else { return .item(head, isDamaged: false) }
        guard head.size <= Statement.greatestSize else { throw SealFailure.tooLarge }
        let bytes = try whole(item, SealedItem.size(of: head.size), base)
        let statement = try Statement(try head.content(bytes, key: key, group: group))
        guard statement.belongs(to: group) else { throw SealFailure.damaged }
        readStatements.append(statement)
        return .statement(statement.identity)
    }

    private func whole(_ item: SyncItem, _ limit: Int, _ base: any SyncTransport) throws -> [UInt8] {
        guard item.size <= limit else { throw SealFailure.tooLarge }
        guard let bytes = try base.read(item, atMost: limit + 1), bytes.count == item.size else {
            throw SealFailure.damaged
        }
        return bytes
    }
}
