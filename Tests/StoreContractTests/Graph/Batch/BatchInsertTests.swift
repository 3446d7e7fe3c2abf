import CoreData
import StoreContract
import Testing

@Suite("Batch insertions")
struct BatchInsertTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(BatchModel.make()) }

    @Test("dictionaries become rows with defaults, derived values and keys of their own (CTX-36)")
    func dictionariesBecomeRowsWithDefaults() throws {
        let list = context.insert("List", ["name": "list"])
        let first = context.insert("Item", ["name": "a", "code": "a"])
        try context.save()
        let large = Data(repeating: 9, count: 150_000)
        let objects: [[String: Any]] = [
            ["name": "b", "code": "b", "count": 1, "list": list.objectID, "picture": large],
            ["name": "c", "code": NSNull(), "picture": Data([1, 2])],
        ]
        let result = try stack.insert("Item", objects, .objectIDs)
        let identifiers = try #require(result as? [NSManagedObjectID])
        #expect(Set(identifiers + [first.objectID]).count == 3)
        #expect(try stack.stored("count", of: "Item") == ["7", "1", "7"])
        #expect(try stack.stored("upper", of: "Item") == ["A", "B", "C"])
        #expect(try stack.stored("size", of: "List") == ["1"])
        let found = try context.all("Item", sortedBy: "name")
        #expect(found.dropFirst().map(\.objectID) == identifiers)
        #expect(found[1].value(forKey: "picture") as? Data == large)
        #expect(found[2].value(forKey: "picture") as? Data == Data([1, 2]))
        let next = context.insert("Item", ["name": "d", "code": "d"])
        try context.save()
        #expect(!identifiers.contains(next.objectID))
    }

    @Test("a handler fills one dictionary, empty each time, until it answers true (CTX-36)")
    func dictionaryHandler() throws {
        var number = 0
        var seen: Set<ObjectIdentifier> = []
        let request = NSBatchInsertRequest(entityName: "Special") { (dictionary: NSMutableDictionary) in
            #expect(dictionary.count == 0)
            seen.insert(ObjectIdentifier(dictionary))
            guard number < 100 else { return true }
            dictionary["name"] = "s\(number)"
            if number == 50 { dictionary["level"] = 5 }
            number += 1
            return false
        }
        request.resultType = .count
        #expect((try context.execute(request) as? NSBatchInsertResult)?.result as? Int == 100)
        #expect(seen.count == 1)
        #expect(try context.all("Special", NSPredicate(format: "level == 5")).count == 1)
        #expect(try context.all("Item").count == 100)
    }

    @Test("a handler fills one object, of default values each time, until it answers true (CTX-36)")
    func objectHandler() throws {
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Item") { (object: NSManagedObject) in
            #expect(object.value(forKey: "count") as? Int == 7)
            #expect(object.value(forKey: "name") == nil)
            guard number < 40 else { return true }
            object.setValue("o\(number)", forKey: "name")
            object.setValue(number, forKey: "count")
            object.setValue(Decimal(number) as NSDecimalNumber, forKey: "exact")
            number += 1
            return false
        }
        request.resultType = .statusOnly
        #expect((try context.execute(request) as? NSBatchInsertResult)?.result as? Bool == true)
        #expect(try context.all("Item", NSPredicate(format: "count == exact")).count == 40)
        #expect(context.insertedObjects.isEmpty)
    }

    @Test("a bad value says which row, and nothing is inserted (CTX-36)")
    func badValue() throws {
        var message = ""
        do {
            _ = try stack.insert("Item", [["name": "a"], ["name": "b"], ["name": 3], ["name": "c"]])
        } catch {
            message = error.localizedDescription
        }
        #expect(message.contains("Row 2 "))
        #expect(try stack.stored("name", of: "Item").isEmpty)
        #expect(failureCode { _ = try stack.insert("Item", [["nmae": "a"]]) } == NSCoreDataError)
        #expect(failureCode { _ = try stack.insert("Item", [["parts": []]]) } == NSCoreDataError)
        #expect(failureCode { _ = try stack.insert("Item", [["upper": "X"]]) } == NSCoreDataError)
    }

    private func fillTwice(_ policy: NSMergePolicyType) throws -> [NSManagedObjectID]? {
        _ = try stack.insert("Item", [["name": "old 1", "code": "1", "count": 1], ["name": "old 2", "code": "2"]])
        let request = NSBatchInsertRequest(
            entityName: "Item", objects: [["name": "new 2", "code": "2"], ["name": "new 3", "code": "3"]])
        request.resultType = .objectIDs
        context.mergePolicy = NSMergePolicy(merge: policy)
        return (try context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]
    }

    @Test("unique values that are there refuse the request by default (CTX-36)")
    func refusedCollision() throws {
        #expect(failureCode { _ = try fillTwice(.errorMergePolicyType) } == NSManagedObjectConstraintMergeError)
        #expect(try stack.stored("name", of: "Item") == ["old 1", "old 2"])
    }

    @Test(
        "the object that trumps writes its values over the row that is there (CTX-36)",
        arguments: [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
    func overwritingCollision(policy: NSMergePolicyType) throws {
        let identifiers = try #require(try fillTwice(policy))
        #expect(identifiers.count == 2)
        #expect(try stack.stored("name", of: "Item", sortedBy: "code") == ["old 1", "new 2", "new 3"])
        #expect(try stack.stored("upper", of: "Item", sortedBy: "code") == ["OLD 1", "NEW 2", "NEW 3"])
        #expect(try context.existingObject(with: identifiers[0]).value(forKey: "name") as? String == "new 2")
    }

    @Test(
        "the store that trumps keeps the row that is there (CTX-36)",
        arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
    func keptCollision(policy: NSMergePolicyType) throws {
        #expect(try fillTwice(policy)?.count == 1)
        #expect(try stack.stored("name", of: "Item", sortedBy: "code") == ["old 1", "old 2", "new 3"])
    }

    @Test("a relationship to a record that is gone, and an abstract entity, are refused (CTX-36)")
    func relationshipToRecordThatIsGone() throws {
        let list = context.insert("List", ["name": "list"])
        try context.save()
        #expect(try stack.delete("List") as? Int == 1)
        #expect(
            failureCode { _ = try stack.insert("Item", [["list": list.objectID]]) }
                == NSManagedObjectReferentialIntegrityError)
        let builder = ModelBuilder()
        builder.entity("Base", ["name": .stringAttributeType]).isAbstract = true
        builder.entity("Leaf", in: "Base")
        let other = try Stack(builder.model)
        #expect(failureCode { _ = try other.insert("Base", [[:]]) } == NSCoreDataError)
        _ = try other.insert("Leaf", [["name": "x"], ["name": "y"]])
        #expect(try other.update("Base", ["name": "z"]) as? Int == 2)
        #expect(try other.delete("Base") as? Int == 2)
    }
}
