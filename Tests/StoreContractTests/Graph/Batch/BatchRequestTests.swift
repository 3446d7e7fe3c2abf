import CoreData
import StoreContract
import Testing

/// Requests that are made for an entity rather than for its name, and what requests and results tell of themselves.
struct BatchRequestTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(BatchModel.make()) }

    private func part() throws -> NSEntityDescription {
        try #require(NSEntityDescription.entity(forEntityName: "Part", in: context))
    }

    private func insert(_ request: NSBatchInsertRequest, _ type: NSBatchInsertRequestResultType) throws -> Any? {
        request.resultType = type
        let result = try #require(try context.execute(request) as? NSBatchInsertResult)
        #expect(result.resultType == type)
        return result.result
    }

    @Test("insertions for an entity itself, in each of the three forms (CTX-36)")
    func insertionsOfEntities() throws {
        let part = try part()
        let objects = NSBatchInsertRequest(entity: part, objects: [["name": "a"], ["name": "b"]])
        #expect(objects.requestType == .batchInsertRequestType)
        #expect(objects.entity === part && objects.entityName == "Part" && objects.objectsToInsert?.count == 2)
        #expect(objects.dictionaryHandler == nil && objects.managedObjectHandler == nil)
        #expect(try insert(objects, .count) as? Int == 2)

        var names = ["c", "d"]
        let dictionaries = NSBatchInsertRequest(entity: part) { (dictionary: NSMutableDictionary) in
            guard let name = names.popLast() else { return true }
            dictionary["name"] = name
            return false
        }
        #expect(dictionaries.dictionaryHandler != nil && dictionaries.objectsToInsert == nil)
        #expect((try insert(dictionaries, .objectIDs) as? [NSManagedObjectID])?.count == 2)

        names = ["e"]
        let managed = NSBatchInsertRequest(entity: part) { (object: NSManagedObject) in
            guard let name = names.popLast() else { return true }
            object.setValue(name, forKey: "name")
            return false
        }
        #expect(managed.managedObjectHandler != nil && managed.dictionaryHandler == nil)
        #expect(try insert(managed, .statusOnly) as? Bool == true)
        #expect(try stack.stored("name", of: "Part") == ["a", "b", "c", "d", "e"])
    }

    @Test("an update and a deletion for an entity itself have their kinds and results (CTX-36)")
    func updatesAndDeletions() throws {
        let part = try part()
        for name in ["a", "b"] { context.insert("Part", ["name": name]) }
        try context.save()
        let update = NSBatchUpdateRequest(entity: part)
        #expect(update.entity === part && update.entityName == "Part" && update.requestType == .batchUpdateRequestType)
        update.propertiesToUpdate = ["name": "c"]
        update.predicate = NSPredicate(format: "name == 'a'")
        update.resultType = .updatedObjectsCountResultType
        let updated = try #require(try context.execute(update) as? NSBatchUpdateResult)
        #expect(updated.resultType == .updatedObjectsCountResultType && updated.result as? Int == 1)

        let request: NSFetchRequest<NSFetchRequestResult> = NSFetchRequest()
        request.entity = part
        request.resultType = .managedObjectResultType
        #expect(request.requestType == .fetchRequestType)
        let deletion = NSBatchDeleteRequest(fetchRequest: request)
        #expect(deletion.requestType == .batchDeleteRequestType && deletion.fetchRequest.entity === part)
        deletion.resultType = .resultTypeCount
        let deleted = try #require(try context.execute(deletion) as? NSBatchDeleteResult)
        #expect(deleted.resultType == .resultTypeCount && deleted.result as? Int == 2)
        #expect(try stack.stored("name", of: "Part").isEmpty)
    }

    @Test("a save request and an asynchronous fetch keep what they were made with (CTX-36)")
    func keepWhatTheyWereMadeWith() async throws {
        let parts = ["a", "b", "c", "d"].map { context.insert("Part", ["name": $0]) }
        let save = NSSaveChangesRequest(
            inserted: [parts[0]], updated: [parts[1]], deleted: [parts[2]], locked: [parts[3]])
        #expect(save.insertedObjects == [parts[0]] && save.updatedObjects == [parts[1]])
        #expect(save.deletedObjects == [parts[2]] && save.lockedObjects == [parts[3]])
        try context.save()

        let request = NSFetchRequest<NSManagedObject>(entityName: "Part")
        let names: [String] = await withCheckedContinuation { continuation in
            let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                #expect(result.fetchRequest.fetchRequest === request && result.fetchRequest.completionBlock != nil)
                continuation.resume(
                    returning: (result.finalResult ?? []).compactMap { $0.value(forKey: "name") as? String }.sorted())
            }
            #expect(asynchronous.fetchRequest === request)
            do { try context.execute(asynchronous) } catch { continuation.resume(returning: ["\(error)"]) }
        }
        #expect(names == ["a", "b", "c", "d"])
    }
}
