import CoreData

/// An object that reverting a transaction changes, with its changes.
package struct RevertedObject {
    package let type: ChangeRecord.Kind
    package let entity: String
    /// The object's short address; nil for an object that is inserted again and not saved yet.
    package let objectID: String?
    package let changes: [ValueChange]

    /// `{"type", "entity", "objectID", "values": {name: {"old", "new"}}}`
    package var json: JSONValue {
        .object([
            ("type", .string("\(type)")), ("entity", .string(entity)), ("objectID", .text(objectID)),
            ("values", .object(changes.map { ($0.name, $0.json) })),
        ])
    }
}

extension OpenStore {
    /// Undoes one transaction of the history by a new transaction, or for a dry run reports what that would change.
    ///
    /// - Throws: `InspectionError`: of code `noHistory` if the history does not have the transaction or has no old
    ///   values of it, or `badValue` if later transactions changed the same; the store is then unchanged.
    package func revert(_ number: Int64, mode: EditMode = .save) throws -> [RevertedObject] {
        var filter = HistoryFilter()
        filter.number = number
        var found: HistoryTransaction?
        try readHistory(filter) { if case .transaction(let transaction) = $0 { found = transaction } }
        guard let found else { return [] }
        // Permanent identifiers of inserted objects are only known after the save.
        var objects: [(kind: ChangeRecord.Kind, object: NSManagedObject, changes: [ValueChange])] = []
        return try edit(
            mode, naming: { $0.objectID.shortText },
            {
                try revert(found)
                context.processPendingChanges()
                objects = changedObjects()
            },
            report: { _ in
                objects.map { kind, object, changes in
                    let identifier = object.objectID
                    return RevertedObject(
                        type: kind, entity: object.entity.name ?? "",
                        objectID: identifier.isTemporaryID ? nil : identifier.shortText, changes: changes)
                }
            })
    }

    private func revert(_ transaction: HistoryTransaction) throws {
        do {
            try context.revert(NSPersistentHistoryTransaction(transaction, of: store.identifier, changes: nil))
        } catch let error as NSError where error.code == NSManagedObjectMergeError {
            throw InspectionError(
                .badValue, subject: facts.url.place,
                cause: "not reverted: \(error.localizedDescription) \(error.localizedFailureReason ?? "")",
                hint: "nothing was changed; revert the later transactions first")
        } catch let error as NSError where error.code == NSPersistentStoreUnsupportedRequestTypeError {
            throw InspectionError(
                .noHistory, subject: facts.url.place, cause: error.localizedDescription,
                hint: "only transactions that are committed with CoreDataHistoryKeepsOldValuesOption can be reverted")
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }

    /// The context's unsaved changes: insertions, updates, deletions, each sorted by entity and key.
    private func changedObjects() -> [(ChangeRecord.Kind, NSManagedObject, [ValueChange])] {
        let inserted = context.insertedObjects.map { object in
            (ChangeRecord.Kind.insert, object, changes(of: object, [:], object.changedValues()))
        }
        let updated = context.updatedObjects.map { object in
            let values = object.changedValues()
            let former = object.committedValues(forKeys: values.keys.sorted())
            return (ChangeRecord.Kind.update, object, changes(of: object, former, values))
        }
        let deleted = context.deletedObjects.map { object in
            let names = object.entity.attributesByName.keys.sorted()
            return (ChangeRecord.Kind.delete, object, changes(of: object, object.committedValues(forKeys: names), [:]))
        }
        return [inserted, updated, deleted].flatMap { group in
            group.filter { $0.0 != .update || !$0.2.isEmpty }.sorted {
                ($0.1.entity.name ?? "", $0.1.objectID.key) < ($1.1.entity.name ?? "", $1.1.objectID.key)
            }
        }
    }

    private func changes(
        of object: NSManagedObject, _ old: [String: Any], _ new: [String: Any]
    ) -> [ValueChange] {
        func reading(_ value: Any?, _ name: String) -> PropertyReading {
            guard let value, !(value is NSNull), let property = object.entity.propertiesByName[name] else {
                return .null
            }
            return PropertyReading(value, of: property)
        }
        return Set(old.keys).union(new.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { name in
            let change = ValueChange(name: name, old: reading(old[name], name), new: reading(new[name], name))
            if case (.null, .null) = (change.old, change.new) { return nil }
            return change
        }
    }
}
