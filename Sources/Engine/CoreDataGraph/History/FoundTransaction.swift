import CoreDataStore

/// A transaction that a request found, with the changes of it that match the request.
struct FoundTransaction {
    let store: NSPersistentStore
    let header: HistoryTransaction
    var changes: [NSPersistentHistoryChange] = []
}

extension HistoryScan {
    /// The transactions of this store that match the request; at most as many as its limit can reach.
    func found(withChanges wantsChanges: Bool) throws -> [FoundTransaction] {
        var found: [FoundTransaction] = []
        var (last, changeCount) = (FoundTransaction?.none, 0)
        func take() {
            if let last, !findsByChanges || !last.changes.isEmpty { found.append(last) }
        }
        try run { header in
            take()
            last = nil
            if let reach = selection.reach, (findsByChanges ? changeCount : found.count) >= reach { return .end }
            last = FoundTransaction(store: history.store, header: header)
            return wantsChanges || findsByChanges ? .changes : .next
        } change: { details in
            last?.changes.append(NSPersistentHistoryChange(details))
            changeCount += 1
        }
        take()
        return found
    }

    /// The changes of this store that match the request; only for a request without limit, offset and sort descriptors.
    func changes() throws -> [NSPersistentHistoryChange] {
        var changes: [NSPersistentHistoryChange] = []
        try run(transaction: { _ in .changes }, change: { changes.append(NSPersistentHistoryChange($0)) })
        return changes
    }

    /// The number of changes of this store that match the request; only for a request without limit, offset and sort
    /// descriptors.
    func count() throws -> Int {
        var count = 0
        try run(transaction: { _ in .changes }, change: { _ in count += 1 })
        return count
    }

    /// The objects with matching changes in this store; only for a request without limit, offset and sort descriptors.
    func objectIDs() throws -> [NSManagedObjectID] {
        var seen: Set<RowKey> = []
        var identifiers: [NSManagedObjectID] = []
        func note(_ details: HistoryChangeDetails) {
            if seen.insert(RowKey(details.address)).inserted { identifiers.append(details.address.objectID) }
        }
        try run(transaction: { _ in .changes }, change: note)
        return identifiers
    }
}

extension HistorySelection {
    /// The transactions of several stores in one order, within limit and offset.
    func chosen(_ found: [[FoundTransaction]]) throws -> [FoundTransaction] {
        let all = Self.merged(found)
        switch subject {
        case .transactions:
            return Array(window(try all.sorted(by: columns) { TransactionRecord(transaction: $0.header) }))
        case .changes:
            guard !isWhole else { return all }
            var kept = all
            for index in kept.indices { kept[index].changes = [] }
            for (place, change) in try chosenChanges(all) { kept[place].changes.append(change) }
            return kept.filter { !$0.changes.isEmpty }
        }
    }

    /// The changes of several stores, in the order of the request and within limit and offset.
    func chosenInOrder(_ found: [[FoundTransaction]]) throws -> [NSPersistentHistoryChange] {
        try chosenChanges(Self.merged(found)).map(\.change)
    }

    /// The changes of transactions, sorted and limited by the request, each with the index of its transaction.
    private func chosenChanges(_ transactions: [FoundTransaction]) throws -> [(
        place: Int, change: NSPersistentHistoryChange
    )] {
        let changes = transactions.enumerated().flatMap { place, transaction in
            transaction.changes.map { (place: place, change: $0) }
        }
        return Array(window(try changes.sorted(by: columns) { ChangeRecordView(details: $0.change.details) }))
    }

    /// Merges the transactions of several stores by their times. Those of one store remain in the order of their
    /// numbers, even if its clock was set back.
    private static func merged(_ lists: [[FoundTransaction]]) -> [FoundTransaction] {
        var open = lists.filter { !$0.isEmpty }.map { $0[...] }
        guard open.count > 1 else { return lists.first { !$0.isEmpty } ?? [] }
        var merged: [FoundTransaction] = []
        merged.reserveCapacity(open.reduce(0) { $0 + $1.count })
        func precedes(_ one: Int, _ other: Int) -> Bool {
            let (left, right) = (open[one][open[one].startIndex].header, open[other][open[other].startIndex].header)
            return (left.time, left.number) < (right.time, right.number)
        }
        while let next = open.indices.min(by: precedes) {
            merged.append(open[next].removeFirst())
            if open[next].isEmpty { open.remove(at: next) }
        }
        return merged
    }
}
