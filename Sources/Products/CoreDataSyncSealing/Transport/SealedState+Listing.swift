import CoreDataSyncing

extension SealedState {
    /// How the names of items begin that are of no use.
    static let refusedPrefix = "sealed:"

    /// The items that peers wrote, by their clear names and sizes, and what is of no use, by the names beneath.
    ///
    /// Copies of an item are shown once. Where devices wrote items of one name, the name is that of this device's item, or of the first
    /// device's; the others have the author in their names.
    mutating func list() -> [SyncItem] {
        var groups: [String: [Fingerprint: [SealedEntry]]] = [:]
        var items: [SyncItem] = []
        for entry in entries.values {
            guard let head = entry.head, membership.refusal(of: head.identity, by: head.author) == nil else {
                if refusal(of: entry) != nil {
                    let item = entry.item
                    items.append(SyncItem(name: Self.refusedPrefix + item.name, size: item.size, stamp: item.stamp))
                }
                continue
            }
            groups[head.name, default: [:]][head.author, default: []].append(entry)
        }
        places = [:]
        for (name, authors) in groups {
            let own = device.identity.signer
            let order = authors.keys.sorted { ($0 == own ? 0 : 1, $0) < ($1 == own ? 0 : 1, $1) }
            for (place, author) in order.enumerated() {
                let copies = (authors[author] ?? []).sorted { left, right in
                    (left.isDamaged ? 1 : 0, left.item.name) < (right.isDamaged ? 1 : 0, right.item.name)
                }
                guard let first = copies.first, let head = first.head else { continue }
                let shown = place == 0 ? name : "\(name).\(author.short)"
                places[shown] = copies.map(\.item.name)
                items.append(SyncItem(name: shown, size: head.size, stamp: first.item.stamp))
            }
        }
        return items
    }

    /// Why an item is of no use; nil if it is of use, or not for this device.
    func refusal(of entry: SealedEntry) -> SyncError? {
        let name = entry.item.name
        switch entry.found {
        case .refused(let failure): return failure.error(name)
        case .unread(let error): return error
        case .item(let head, _): return membership.refusal(of: head.identity, by: head.author)?.error(name)
        case .pairing(let item): return refusal(of: item)?.error(name)
        case .statement, .envelope: return nil
        }
    }

    /// The content of a shown item; nil if it is gone.
    ///
    /// - Throws: `SyncError` with the code `refusedItem` or `transport`, and what the transport beneath throws.
    mutating func read(_ item: SyncItem, from base: any SyncTransport) throws -> [UInt8]? {
        if item.name.hasPrefix(Self.refusedPrefix) {
            let entry = entries[String(item.name.dropFirst(Self.refusedPrefix.count))]
            guard let entry, let error = refusal(of: entry) else { return nil }
            throw error
        }
        var failure: SyncError?
        for name in places[item.name] ?? [] {
            guard let entry = entries[name], let head = entry.head, let key = keys[head.key] else { continue }
            guard let bytes = try base.read(entry.item, atMost: SealedItem.size(of: head.size) + 1) else { continue }
            do {
                return try head.content(bytes, key: key, group: group)
            } catch {
                entries[name]?.found = .item(head, isDamaged: true)
                failure = error.error(item.name)
            }
        }
        guard let failure else { return nil }
        throw failure
    }
}
