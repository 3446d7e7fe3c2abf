import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

@Suite("The statements of batch requests")
struct BatchStatementsTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        let builder = ModelBuilder()
        builder.entity("List", ["name": .stringAttributeType])
        builder.entity("Item", ["name": .stringAttributeType, "count": .integer64AttributeType])
        builder.entity("Special", in: "Item", ["level": .integer16AttributeType])
        builder.entity("Photo", ["name": .stringAttributeType, "bytes": .binaryDataAttributeType])
        builder.entity("Tag", ["name": .stringAttributeType])
        builder.relationships("List.items*!", "Item.list")
        builder.relationships("Item.tags*", "Tag.items*")
        builder.relationships("Item.photos*", "Photo.item", .cascadeDeleteRule)
        builder.attribute("Photo.bytes").allowsExternalBinaryDataStorage = true
        builder["Tag"].uniquenessConstraints = [["name"]]
        stack = try Stack(builder.model)
    }

    private func execute(_ request: NSPersistentStoreRequest) throws { try context.execute(request) }

    private func insertItems(_ count: Int) throws {
        try execute(NSBatchInsertRequest(entityName: "Item", objects: (0..<count).map { ["name": "i", "count": $0] }))
    }

    private func update(_ values: [AnyHashable: Any], where predicate: NSPredicate? = nil) -> NSBatchUpdateRequest {
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.propertiesToUpdate = values
        request.predicate = predicate
        return request
    }

    private static func deletion(_ entity: String, _ predicate: NSPredicate? = nil) -> NSBatchDeleteRequest {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
        fetch.predicate = predicate
        return NSBatchDeleteRequest(fetchRequest: fetch)
    }

    private func expectSound(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try stack.rows("PRAGMA integrity_check") == [["ok"]], sourceLocation: location)
        for table in ["LIST", "ITEM", "PHOTO", "TAG"] {
            let greatest = try stack.integer("SELECT IFNULL(max(Z_PK), 0) FROM Z\(table)") ?? 0
            let recorded =
                try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE upper(Z_NAME) = '\(table)'") ?? 0
            #expect(recorded >= greatest, "\(table)", sourceLocation: location)
        }
    }

    @Test("a thousand rows are changed by one statement (CTX-36)")
    func oneStatement() throws {
        try insertItems(1_000)
        let request = update(["name": "x", "count": NSNull()])
        #expect(
            try stack.statements { try execute(request) } == [
                "BEGIN IMMEDIATE",
                "UPDATE ZITEM SET Z_OPT = IFNULL(CAST(Z_OPT AS INTEGER), 0) + 1, ZCOUNT = ?, ZNAME = ?",
                "COMMIT",
            ])
        #expect(try stack.rows("SELECT DISTINCT Z_OPT, ZNAME, ZCOUNT FROM ZITEM") == [[2, "x", .null]])
        try expectSound()
    }

    @Test("conditions choose keys; computed values are gathered before any is written (CTX-36)")
    func conditionsChooseKeysComputedValuesAreGatheredBeforeAny() throws {
        try insertItems(3)
        let raise = "UPDATE ZITEM SET Z_OPT = IFNULL(CAST(Z_OPT AS INTEGER), 0) + 1, "
        let chosen = update(["name": "x"], where: NSPredicate(format: "count > 1"))
        chosen.resultType = .updatedObjectIDsResultType
        #expect(
            try stack.statements { try execute(chosen) }[1]
                == raise
                + "ZNAME = ? WHERE Z_PK IN (SELECT t0.Z_PK FROM ZITEM t0 WHERE t0.ZCOUNT > ?) RETURNING Z_PK, Z_ENT")
        let computed = update(
            ["count": NSExpression(format: "count + 1")], where: NSPredicate(format: "list.name == 'a'"))
        let text = try stack.statements { try execute(computed) }[1]
        #expect(text.hasPrefix("WITH n(k, v0) AS MATERIALIZED (SELECT t0.Z_PK, coredata_assigned(0, "))
        #expect(text.contains(" LEFT JOIN ZLIST t1 ON t1.Z_PK = t0.ZLIST WHERE t1.ZNAME = ?) "))
        #expect(text.hasSuffix(raise + "ZCOUNT = n.v0 FROM n WHERE ZITEM.Z_PK = n.k"))
    }

    @Test("a deletion sends as many statements for ten rows as for ten thousand (CTX-36)")
    func deletionStatements() throws {
        var counts: [Int] = []
        for count in [10, 10_000] {
            try insertItems(count)
            counts.append(try stack.statementCount { try execute(Self.deletion("Item")) })
            #expect(try stack.integer("SELECT count(*) FROM ZITEM") == 0)
        }
        #expect(counts[0] == counts[1])
        try expectSound()
    }

    @Test("an insertion prepares its statement once and records the greatest key once (CTX-36)")
    func insertionStatements() throws {
        let texts = try stack.statements { try insertItems(500) }
        #expect(texts.filter { $0.hasPrefix("INSERT INTO ZITEM ") }.count == 500)
        #expect(Set(texts).count == 6)
        #expect(try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'") == 500)
        let item = context.insert("Item")
        try context.save()
        #expect(item.objectID.key == 501)
        try expectSound()
    }

    @Test("deletions leave no pairs in join tables and no files of large values (CTX-36)")
    func deletionsLeaveNoPairsInJoinTablesAndNoFilesOfLargeValues() throws {
        let tag = context.insert("Tag", ["name": "t"])
        for number in 0..<4 {
            let item = context.insert("Item", ["count": number])
            item.setValue(NSSet(array: [tag]), forKey: "tags")
            let photo = context.insert("Photo", ["bytes": Data(repeating: 1, count: 150_000)])
            photo.setValue(item, forKey: "item")
        }
        try context.save()
        let folder = stack.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
        let values = NSBatchUpdateRequest(entityName: "Photo")
        values.propertiesToUpdate = ["bytes": Data(repeating: 2, count: 150_000)]
        try execute(values)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
        #expect(try stack.integer("SELECT count(DISTINCT ZBYTES) FROM ZPHOTO") == 4)
        try execute(Self.deletion("Item", NSPredicate(format: "count < 3")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        let joins = try stack.rows("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__TAGS' ESCAPE '\\'")
        #expect(joins.count == 1)
        for join in joins { #expect(try stack.integer("SELECT count(*) FROM \(join[0].text ?? "")") == 1) }
        try expectSound()
    }

    @Test("a refused insertion leaves no file and gives its keys out again (CTX-36)")
    func refusedInsertion() throws {
        let request = NSBatchInsertRequest(
            entityName: "Photo", objects: [["bytes": Data(repeating: 1, count: 150_000)], ["bytes": "text"]])
        #expect(code { try execute(request) } == NSCoreDataError)
        let folder = stack.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        #expect(try stack.integer("SELECT count(*) FROM ZPHOTO") == 0)
        try execute(NSBatchInsertRequest(entityName: "Photo", objects: [["name": "p"]]))
        #expect(try stack.rows("SELECT Z_PK, Z_OPT FROM ZPHOTO") == [[1, 1]])
    }

    @Test("a row that is written over keeps its key and gets its next version, once more for each time (CTX-36)")
    func overwrittenRow() throws {
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let request = NSBatchInsertRequest(
            entityName: "Tag", objects: [["name": "a"], ["name": "b"], ["name": "a"], ["name": "a"]])
        request.resultType = .objectIDs
        let result = try context.execute(request) as? NSBatchInsertResult
        #expect((result?.result as? [NSManagedObjectID])?.count == 2)
        #expect(try stack.rows("SELECT Z_PK, Z_OPT, ZNAME FROM ZTAG ORDER BY 1") == [[1, 3, "a"], [2, 1, "b"]])
        try expectSound()
    }

    @Test(
        "a row that is passed over leaves no file; one that is written over leaves none of its former values (CTX-36)")
    func filesOfCollisions() throws {
        let builder = ModelBuilder()
        builder.entity("Photo", ["code": .stringAttributeType, "bytes": .binaryDataAttributeType])
        builder.attribute("Photo.bytes").allowsExternalBinaryDataStorage = true
        builder["Photo"].uniquenessConstraints = [["code"]]
        let stack = try Stack(builder.model)
        let folder = stack.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA").path
        for policy in [
            NSMergePolicyType.errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .mergeByPropertyObjectTrumpMergePolicyType,
        ] {
            stack.context.mergePolicy = NSMergePolicy(merge: policy)
            let bytes = Data(repeating: UInt8(policy.rawValue), count: 150_000)
            let request = NSBatchInsertRequest(entityName: "Photo", objects: [["code": "a", "bytes": bytes]])
            try stack.context.execute(request)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
            let context = stack.newContext()
            let kept = try context.all("Photo").first?.value(forKey: "bytes") as? Data
            #expect(kept?.first == (policy == .mergeByPropertyObjectTrumpMergePolicyType ? 2 : 0))
        }
    }

    @Test("an entity that no store's configuration keeps is refused (CTX-36)")
    func entityThatNoStoresConfigurationKeepsIsRefused() throws {
        let builder = ModelBuilder()
        builder.entity("Kept", ["name": .stringAttributeType])
        builder.entity("Other", ["name": .stringAttributeType])
        builder.model.setEntities([builder["Kept"]], forConfigurationName: "Some")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
        let url = stack.url.deletingLastPathComponent().appendingPathComponent("Some.sqlite")
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "Some", at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.execute(NSBatchInsertRequest(entityName: "Kept", objects: [["name": "a"]]))
        #expect(
            code { try context.execute(NSBatchInsertRequest(entityName: "Other", objects: [["name": "a"]])) }
                == NSPersistentStoreSaveError)
        #expect(code { try context.execute(Self.deletion("Other")) } == NSPersistentStoreSaveError)
    }

    @Test("a store that another connection is writing to is busy; a read-only one refuses (CTX-36)")
    func unwritableStores() throws {
        try insertItems(2)
        let other = try Stack(stack.model, url: stack.url)
        try other.file.connection.begin(.immediate)
        try stack.execute("PRAGMA busy_timeout = 1")
        #expect(code { try execute(update(["count": 5])) } == NSPersistentStoreTimeoutError)
        try other.file.connection.rollBack()
        try execute(update(["count": 5]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = coordinator
        #expect(code { try reader.execute(update(["count": 6])) } == NSPersistentStoreSaveError)
        #expect(code { try reader.execute(Self.deletion("Item")) } == NSPersistentStoreSaveError)
        #expect(
            code { try reader.execute(NSBatchInsertRequest(entityName: "Item", objects: [[:]])) }
                == NSPersistentStoreSaveError)
        #expect(try stack.rows("SELECT DISTINCT ZCOUNT FROM ZITEM") == [[5]])
    }

    @Test("of several stores those that are named are changed (CTX-36)")
    func severalStores() throws {
        try insertItems(2)
        let url = stack.url.deletingLastPathComponent().appendingPathComponent("Second.sqlite")
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let insertion = NSBatchInsertRequest(entityName: "Item", objects: [["count": 1], ["count": 2], ["count": 3]])
        insertion.affectedStores = [second]
        try execute(insertion)
        #expect(try context.all("Item").filter { $0.objectID.persistentStore === second }.count == 3)
        let request = update(["count": 9])
        request.resultType = .updatedObjectsCountResultType
        request.affectedStores = [second]
        #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 3)
        request.affectedStores = nil
        #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 5)
        request.affectedStores = []
        #expect(code { try execute(request) } == NSPersistentStoreSaveError)
        let deletion = Self.deletion("Item")
        deletion.resultType = .resultTypeCount
        #expect((try context.execute(deletion) as? NSBatchDeleteResult)?.result as? Int == 5)
    }

    @Test("members of an ordered relationship that a batch adds come last (CTX-36)")
    func orderedMembers() throws {
        let list = context.insert("List", ["name": "l"])
        let items = (0..<4).map { context.insert("Item", ["count": $0]) }
        list.setValue(NSOrderedSet(array: [items[3], items[1]]), forKey: "items")
        try context.save()
        try execute(update(["list": list.objectID], where: NSPredicate(format: "count IN {0, 2}")))
        let fresh = stack.newContext()
        let members = try fresh.all("List").first?.value(forKey: "items") as? NSOrderedSet
        let counts = members?.array.map { ($0 as? NSManagedObject)?.value(forKey: "count") as? Int }
        #expect(counts == [3, 1, 0, 2])
    }

    @Test("a long chain of cascades is followed to its end (CTX-36)", .timeLimit(.minutes(20)))
    func longChainOfCascadesIsFollowedToItsEnd() throws {
        let builder = ModelBuilder()
        builder.entity("Link", ["number": .integer64AttributeType])
        builder.relationships("Link.next", "Link.previous", .cascadeDeleteRule)
        let stack = try Stack(builder.model)
        let links = (0..<3_000).map { stack.context.insert("Link", ["number": $0]) }
        for (link, next) in zip(links, links.dropFirst()) { link.setValue(next, forKey: "next") }
        try stack.context.save()
        let request = Self.deletion("Link", NSPredicate(format: "number == 500"))
        request.resultType = .resultTypeCount
        #expect((try stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2_500)
        #expect(try stack.integer("SELECT count(*) FROM ZLINK WHERE ZNEXT IS NOT NULL") == 499)
    }
}
