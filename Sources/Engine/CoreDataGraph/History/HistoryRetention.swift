import CoreDataStore

/// Deletes the part of a store's history that a retention rule does not keep.
struct HistoryRetention {
    /// How many transactions are deleted in one transaction of the store, so that other users do not wait long for the
    /// store.
    static let mostAtOnce = 1_000
    /// How many bytes of history are deleted in one transaction of the store; more only if a single history transaction
    /// has more.
    static let mostBytesAtOnce: Int64 = 1 << 20

    let store: NSPersistentStore
    let rule: PersistentHistoryRetention

    /// Deletes the oldest piece that the rule does not keep; returns whether there is more to delete.
    func deleteSome() throws -> Bool {
        try store.serialized {
            guard let history = store.objects?.history, store.objects?.isReadOnly == false else { return false }
            // Readers in other processes write their positions to the store's metadata.
            if !rule.readers.isEmpty { try store.adoptForeignMetadata() }
            let extent = try history.historyExtent()
            guard let oldest = extent.oldest, let bound = try bound(history, extent), bound > oldest else {
                return false
            }
            let end = try end(ofPieceFrom: oldest, before: bound, history)
            _ = try history.purgeHistory(before: .number(end))
            return end < bound
        }
    }

    /// The number of the transaction before which the next piece to delete ends.
    private func end(ofPieceFrom first: Int64, before bound: Int64, _ history: any HistoryKeeping) throws -> Int64 {
        var (end, count, bytes) = (first + 1, 0, Int64(0))
        try history.readHistorySizes(of: first...(bound - 1), .oldestFirst) { number, size in
            bytes += size
            count += 1
            guard count == 1 || bytes <= Self.mostBytesAtOnce && count <= Self.mostAtOnce else { return false }
            end = number + 1
            return true
        }
        return count == 0 ? bound : end
    }

    /// The number of the first transaction that the rule keeps; nil if it keeps all.
    private func bound(_ history: any HistoryKeeping, _ extent: HistoryExtent) throws -> Int64? {
        var bounds: [Int64] = []
        if let count = rule.maximumCount { bounds.append(try history.start(ofNewest: count, extent)) }
        if let age = rule.maximumAge { bounds.append(try firstNumber(history, since: age) ?? extent.newest + 1) }
        if let first = try store.historyWindow?.update(history, extent) { bounds.append(first) }
        guard let bound = bounds.max() else { return nil }
        let positions = rule.readers.map { min(store.historyPosition(of: $0), extent.newest) + 1 }
        return min(bound, positions.min() ?? bound)
    }

    /// The number of the first transaction that is younger than `age` seconds; nil if there is none.
    private func firstNumber(_ history: any HistoryKeeping, since age: TimeInterval) throws -> Int64? {
        let limit = Date().timeIntervalSinceReferenceDate - age
        var first: Int64?
        try history.readHistory(HistoryQuery(after: .time(limit))) { transaction in
            first = transaction.number
            return .end
        } change: { _ in
        }
        return first
    }
}

extension NSPersistentStore {
    /// The number of the last transaction that a named reader has marked as read; 0 if it has marked none.
    fileprivate func historyPosition(of reader: String) -> Int64 {
        (metadata[Self.historyReaderPrefix + reader] as? NSNumber)?.int64Value ?? 0
    }

    fileprivate func setHistoryPosition(_ number: Int64, of reader: String) throws {
        try serialized {
            guard let objects else { return }
            func set() throws {
                try adoptForeignMetadata()
                guard historyPosition(of: reader) < number else { return }
                metadata[Self.historyReaderPrefix + reader] = NSNumber(value: number)
                hasUnsavedMetadata = true
                _ = try objects.save(SavePlan())
            }
            // Grouped, so that no other connection writes between reading the position and writing it.
            guard let grouping = objects.saveGrouping else { return try set() }
            try grouping.savingTogether(set)
        }
    }
}

extension NSPersistentStore: HistoryTrimming {
    final var limitsHistory: Bool { historyRetention != nil }

    final func deleteSomeHistory() throws -> Bool {
        try historyRetention.map { try HistoryRetention(store: self, rule: $0).deleteSome() } ?? false
    }
}
extension NSPersistentStoreCoordinator {
    /// Records in the stores' metadata that a named reader has read the history up to a token.
    ///
    /// Not in Apple's framework: see `PersistentHistoryRetention`. A position never moves backwards. Stores that the
    /// token does not name are left unchanged.
    /// - Throws: an error of `NSCocoaErrorDomain` if the position cannot be written.
    public func markHistoryRead(through token: NSPersistentHistoryToken, by reader: String) throws {
        for store in persistentStores {
            guard let number = token.numbers[store.identifier] else { continue }
            try store.setHistoryPosition(number, of: reader)
        }
    }
}
