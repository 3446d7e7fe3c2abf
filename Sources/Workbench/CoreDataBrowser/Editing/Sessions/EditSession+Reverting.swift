import CoreData

extension EditSession {
    /// The greatest number of transactions, and of objects in several, that are reverted as one.
    private static let (mostTransactions, mostObjects) = (10_000, 100_000)

    /// Stages the inverse of a saved transaction, or of several that belong together, such as those of an import;
    /// returns the names of the objects that it inserts again.
    ///
    /// - Throws: `BrowserFailure` 404 for an unknown transaction, 409 if later transactions changed the same, 422 for a
    ///   transaction whose former values were not recorded, and for too many.
    func revert(_ numbers: ClosedRange<Int64>, _ access: BrowserAccess) throws -> [String] {
        let (span, isOver) = numbers.upperBound.subtractingReportingOverflow(numbers.lowerBound)
        guard !isOver, span < Self.mostTransactions else { throw Self.tooMany }
        let transactions = try numbers.reversed().map { number in
            guard let transaction = try transaction(number) else {
                throw BrowserFailure(404, code: "noHistory", reason: "the history has no transaction \(number)")
            }
            return transaction
        }
        let isOne = transactions.count == 1
        if !isOne { try requireUnchanged(since: numbers) }
        let name = isOne ? "\(numbers.lowerBound)" : "\(numbers.lowerBound)-\(numbers.upperBound)"
        return try whole("Reversal of Transaction \(name)") {
            // Changes that a later one of several made to the same objects are reverted too, and are no conflicts.
            if !isOne { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
            defer { context.mergePolicy = NSMergePolicy.error }
            do {
                for transaction in transactions {
                    try context.revert(transaction)
                    context.processPendingChanges()
                }
            } catch let error as NSError where error.code == NSManagedObjectMergeError {
                throw BrowserFailure(
                    409, code: "changedSince", reason: ErrorText.line(for: error),
                    hint: "revert the later transactions first")
            } catch {
                throw BrowserFailure(
                    422, code: "noHistory", reason: ErrorText.line(for: error),
                    hint: "only transactions that are saved while former values are kept can be reverted")
            }
            context.processPendingChanges()
            for object in context.insertedObjects where !names.has(object) {
                try access.require(.insert, entity: object.entity)
            }
            for object in context.updatedObjects { try access.require(.update, entity: object.entity) }
            for object in context.deletedObjects { try access.require(.delete, entity: object.entity) }
            return context.insertedObjects.filter { !names.has($0) }.map { ($0, $0.objectID.uri) }
                .sorted { $0.1.compare($1.1, options: .numeric) == .orderedAscending }.map { names.give($0.0) }
        }
    }

    private static var tooMany: BrowserFailure {
        BrowserFailure(
            422, code: "tooMany",
            reason: "more than \(mostObjects) objects would be changed back, too many to be staged",
            hint: "delete or change them by a bulk edit of a list")
    }

    /// - Throws: `BrowserFailure` 409 where the tab has changes, or an object that transactions changed was changed
    ///   later; 422 for too many objects.
    private func requireUnchanged(since numbers: ClosedRange<Int64>) throws {
        guard !context.hasChanges else {
            throw BrowserFailure(
                409, code: "staged", reason: "the tab has changes of its own that are not saved",
                hint: "save or discard them first")
        }
        guard let history = opened.store.objects?.history else { return }
        var objects: Set<NSManagedObjectID> = []
        try opened.store.serialized {
            try history.readHistory(
                HistoryQuery(after: .number(numbers.lowerBound - 1), through: numbers.upperBound)
            ) { _ in
                .changes
            } change: { change in
                if let address = change.address { objects.insert(address.objectID) }
                guard objects.count <= Self.mostObjects else { throw Self.tooMany }
            }
            try history.readHistory(HistoryQuery(after: .number(numbers.upperBound))) { _ in
                .changes
            } change: { change in
                guard let address = change.address, objects.contains(address.objectID) else { return }
                throw BrowserFailure(
                    409, code: "changedSince",
                    reason: "later transactions changed \(address.objectID.shortText), which would be changed back",
                    hint: "revert the later transactions first")
            }
        }
    }

    private func transaction(_ number: Int64) throws -> NSPersistentHistoryTransaction? {
        guard let entity = NSPersistentHistoryTransaction.entityDescription else { return nil }
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name ?? "")
        fetch.predicate = NSPredicate(format: "transactionNumber == %@", NSNumber(value: number))
        fetch.affectedStores = [opened.store]
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = .transactionsOnly
        do {
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryTransaction])?.first
        } catch {
            throw BrowserFailure(404, code: "noHistory", reason: ErrorText.line(for: error))
        }
    }
}
