import CoreData

extension EditSession {
    /// Stages the inverse of a saved transaction; returns the names of the objects that it inserts again.
    ///
    /// - Throws: `BrowserFailure` 404 for an unknown transaction, 409 if later transactions changed the same, or if it is one of an
    ///   import, 422 for a transaction whose former values were not recorded.
    func revert(_ number: Int64, _ access: BrowserAccess) throws -> [String] {
        guard let transaction = try transaction(number) else {
            throw BrowserFailure(404, code: "noHistory", reason: "the history has no transaction \(number)")
        }
        if transaction.contextName.map(StoreImport.isName) == true {
            throw BrowserFailure(
                409, code: "ofImport", reason: "transaction \(number) is of an import, which is taken back as a whole",
                hint: "POST /stores/{store}/import/reversal")
        }
        return try whole("Reversal of Transaction \(number)") {
            do {
                try context.revert(transaction)
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
