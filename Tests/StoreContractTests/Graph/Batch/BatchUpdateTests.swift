import CoreData
import StoreContract
import Testing

@Suite("Batch updates")
struct BatchUpdateTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack(BatchModel.make())
        for number in 0..<6 {
            let entity = number == 5 ? "Special" : "Item"
            stack.context.insert(
                entity, ["name": "i\(number)", "code": "c\(number)", "count": number, "price": Double(number) / 2])
        }
        stack.context.insert("List", ["name": "one"])
        stack.context.insert("List", ["name": "two"])
        try stack.context.save()
    }

    @Test("constants of every type are stored as a save stores them (CTX-36)")
    func constantsOfEveryTypeAreStoredAsSaveStoresThem() throws {
        let mark = UUID()
        let due = Date(timeIntervalSinceReferenceDate: 12_345.5)
        let large = Data(repeating: 7, count: 200_000)
        let values: [AnyHashable: Any] = [
            "price": 2.5, "due": due, "done": true, "exact": NSDecimalNumber(string: "12.75"),
            "link": URL(string: "https://example.org/x") as Any, "mark": mark, "picture": large,
            "archived": ["a", "b"] as NSArray, "count": 300,
        ]
        #expect(try stack.update("Item", values, where: NSPredicate(format: "count < 3")) as? Int == 3)
        let fresh = stack.newContext()
        for item in try fresh.all("Item", NSPredicate(format: "count == 300")) {
            #expect(item.value(forKey: "price") as? Double == 2.5)
            #expect(item.value(forKey: "due") as? Date == due)
            #expect(item.value(forKey: "done") as? Bool == true)
            #expect(item.value(forKey: "exact") as? NSDecimalNumber == NSDecimalNumber(string: "12.75"))
            #expect((item.value(forKey: "link") as? URL)?.absoluteString == "https://example.org/x")
            #expect(item.value(forKey: "mark") as? UUID == mark)
            #expect(item.value(forKey: "picture") as? Data == large)
            #expect(item.value(forKey: "archived") as? [String] == ["a", "b"])
        }
        #expect(try fresh.all("Item", NSPredicate(format: "count == 300")).count == 3)
    }

    @Test("expressions are computed for each row from the values before (CTX-36)")
    func expressionsAreComputedForEachRowFromValues() throws {
        let values: [AnyHashable: Any] = [
            "count": NSExpression(format: "count * 10 + 1"), "price": NSExpression(format: "count"),
            "name": NSExpression(format: "uppercase:(name)"), "exact": NSExpression(forConstantValue: 4),
        ]
        #expect(try stack.update("Item", values) as? Int == 6)
        #expect(try stack.stored("count", of: "Item") == ["1", "11", "21", "31", "41", "51"])
        #expect(try stack.stored("name", of: "Item") == ["I0", "I1", "I2", "I3", "I4", "I5"])
        #expect(try stack.stored("price", of: "Item", sortedBy: "price") == ["0.0", "1.0", "2.0", "3.0", "4.0", "5.0"])
        #expect(try Set(stack.stored("exact", of: "Item")) == ["4"])
    }

    @Test("nil, NSNull and property descriptions are taken; identifiers lead to other objects (CTX-36)")
    func nilAndTargets() throws {
        let list = try #require(try context.all("List", sortedBy: "name").first)
        let attributes = list.entity.managedObjectModel.entitiesByName["Item"]?.attributesByName
        let count = try #require(attributes?["count"])
        let fourth = NSPredicate(format: "count == 4")
        _ = try stack.update("Item", ["list": list.objectID, count: 40], where: fourth)
        #expect(try stack.stored("items", of: "List") == ["i4", ""])
        #expect(try stack.stored("size", of: "List") == ["1", "0"])
        _ = try stack.update("Item", ["list": NSNull(), "name": NSNull()], where: NSPredicate(format: "count == 40"))
        #expect(try stack.stored("items", of: "List") == ["", ""])
        #expect(try stack.stored("size", of: "List") == ["0", "0"])
        #expect(try stack.stored("name", of: "Item", sortedBy: "code").last(where: { $0 == "nil" }) == "nil")
    }

    @Test("the results are as asked for, and refreshing shows what they name (CTX-36)")
    func resultsAreAsAsked() throws {
        let known = try context.all("Item", sortedBy: "code")
        #expect(try stack.update("Item", ["count": 9], .statusOnlyResultType) as? Bool == true)
        #expect(known.map { $0.value(forKey: "count") as? Int } == [0, 1, 2, 3, 4, 5])
        let changed = try stack.update("Item", ["count": 8], .updatedObjectIDsResultType)
        let identifiers = try #require(changed as? [NSManagedObjectID])
        #expect(Set(identifiers) == Set(known.map(\.objectID)))
        #expect(identifiers.contains { $0.entity.name == "Special" })
        for identifier in identifiers { context.refresh(context.object(with: identifier), mergeChanges: true) }
        #expect(known.map { $0.value(forKey: "count") as? Int } == [8, 8, 8, 8, 8, 8])
        known[0].setValue("new", forKey: "name")
        try context.save()
    }

    @Test("an object that was changed by a batch meanwhile cannot be saved unrefreshed (CTX-36)")
    func versionsAreRaised() throws {
        let item = try context.all("Item", sortedBy: "code")[0]
        item.setValue("mine", forKey: "name")
        _ = try stack.update("Item", ["count": 9])
        #expect(failureCode { try context.save() } == NSManagedObjectMergeError)
    }

    @Test("sub-entities are left out when they are not wanted (CTX-36)")
    func subEntitiesAreLeftOutWhenTheyAreNotWanted() throws {
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.propertiesToUpdate = ["count": 0]
        request.includesSubentities = false
        request.resultType = .updatedObjectsCountResultType
        #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 5)
        #expect(try stack.update("Special", ["level": 3]) as? Int == 1)
        #expect(try stack.stored("level", of: "Special") == ["3"])
    }

    @Test("derived values follow (CTX-36)")
    func derivedValuesFollow() throws {
        _ = try stack.update(
            "Item", ["name": NSExpression(format: "lowercase:('X')")], where: NSPredicate(format: "count == 2"))
        #expect(try stack.stored("upper", of: "Item", sortedBy: "code")[2] == "X")
    }

    @Test(
        "what cannot be set is refused before anything changes (CTX-36)",
        arguments: [
            "nmae": 1, "count": "text", "parts": NSNull(), "upper": "X", "cover": NSNull(), "list": "no object",
        ] as [String: any Sendable & Hashable])
    func whatCannotBeSetIsRefusedBeforeAnythingChanges(name: String, value: any Sendable & Hashable) throws {
        #expect(failureCode { _ = try stack.update("Item", ["price": 99.0, name: value]) } == NSCoreDataError)
        #expect(try !stack.stored("price", of: "Item").contains("99.0"))
    }

    @Test("computed values of another type or out of range are refused (CTX-36)")
    func computedRefusals() throws {
        for text in ["name", "count * 1000000000", "parts.@count.name", "unknown + 1"] {
            #expect(
                failureCode { _ = try stack.update("Item", ["count": NSExpression(format: text)]) } == NSCoreDataError,
                "\(text)")
        }
        #expect(try stack.stored("count", of: "Item") == ["0", "1", "2", "3", "4", "5"])
    }

    @Test("values that must be unique are not given twice (CTX-36)")
    func valuesThatMustBeUniqueAreNotGivenTwice() throws {
        let code = failureCode { _ = try stack.update("Item", ["code": "same"]) }
        #expect(code == NSManagedObjectConstraintMergeError)
        #expect(try stack.stored("code", of: "Item") == ["c0", "c1", "c2", "c3", "c4", "c5"])
    }

    @Test("an unknown entity, and a store that does not carry out batches, are errors (CTX-36)")
    func unknownEntityAndStoreThatDoesNotCarryOutBatches() throws {
        #expect(failureCode { _ = try stack.update("Itme", ["count": 1]) } == NSCoreDataError)
        let memory = try Stack(BatchModel.make(), kind: .inMemory)
        let code = failureCode { _ = try memory.update("Item", ["count": 1]) }
        #expect(code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("fetch and save requests are executed too (CTX-36)")
    func otherRequests() throws {
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Item")
        #expect(type(of: try context.execute(fetch)) != NSBatchUpdateResult.self)
        let item = context.insert("Item", ["name": "new", "code": "n"])
        try context.execute(
            NSSaveChangesRequest(inserted: [item], updated: nil, deleted: nil, locked: nil))
        #expect(!item.hasChanges)
    }
}
