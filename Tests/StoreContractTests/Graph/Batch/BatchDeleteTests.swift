import CoreData
import StoreContract
import TestBasics
import Testing

@Suite("Batch deletions")
struct BatchDeleteTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }
    private let items: [NSManagedObject]

    init() throws {
        let stack = try Stack(BatchModel.make())
        let list = stack.context.insert("List", ["name": "list"])
        let label = stack.context.insert("Label", ["name": "red"])
        items = (0..<6).map { number in
            let item = stack.context.insert(
                number == 5 ? "Special" : "Item", ["name": "i\(number)", "code": "c\(number)", "count": number])
            item.setValue(list, forKey: "list")
            item.setValue(NSSet(array: [label]), forKey: "labels")
            item.setValue(stack.context.insert("Cover", ["name": "cover \(number)"]), forKey: "cover")
            let parts = (0..<2).map { stack.context.insert("Part", ["name": "p\(number)\($0)"]) }
            item.setValue(NSOrderedSet(array: parts), forKey: "parts")
            return item
        }
        self.stack = stack
        try stack.context.save()
    }

    @Test("rows go with what cascades; the others lose their references (CTX-36)")
    func rowsGoWithWhatCascades() throws {
        #expect(try stack.delete("Item", where: NSPredicate(format: "count < 2")) as? Int == 6)
        #expect(try stack.stored("name", of: "Item") == ["i2", "i3", "i4", "i5"])
        #expect(try stack.stored("name", of: "Part").count == 8)
        #expect(try stack.stored("items", of: "List") == ["i2+i3+i4+i5"])
        #expect(try stack.stored("size", of: "List") == ["4"])
        #expect(try stack.stored("items", of: "Label") == ["i2+i3+i4+i5"])
        #expect(try stack.stored("item", of: "Cover") == ["nil", "nil", "i2", "i3", "i4", "i5"])
    }

    @Test("the rule Deny refuses the whole request (CTX-36)")
    func ruleDenyRefusesWholeRequest() throws {
        items[3].setValue(NSSet(array: [context.insert("Receipt", ["name": "r"])]), forKey: "receipts")
        try context.save()
        #expect(failureCode { _ = try stack.delete("Item") } == NSValidationRelationshipDeniedDeleteError)
        #expect(try stack.stored("name", of: "Item").count == 6)
        #expect(try stack.delete("Receipt") as? Int == 1)
        #expect(try stack.delete("Item", .resultTypeStatusOnly) as? Bool == true)
        #expect(try stack.stored("name", of: "Part").isEmpty)
    }

    @Test("order, limit, offset and sub-entities of the fetch request count; identifiers are given (CTX-36)")
    func orderLimitOffsetAndSubEntitiesOfFetchRequestCount() throws {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
        fetch.sortDescriptors = [NSSortDescriptor(key: "count", ascending: false)]
        fetch.fetchLimit = 2
        fetch.fetchOffset = 1
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeObjectIDs
        let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
        let identifiers = try #require(result.result as? [NSManagedObjectID])
        #expect(Set(identifiers).isSuperset(of: [items[4].objectID, items[3].objectID]))
        #expect(identifiers.count == 6)
        #expect(try stack.stored("name", of: "Item") == ["i0", "i1", "i2", "i5"])
        #expect(request.fetchRequest.fetchLimit == 2)
        for identifier in identifiers where identifier.entity.name == "Item" {
            context.refresh(context.object(with: identifier), mergeChanges: false)
        }
        expectError(133000) { try context.existingObject(with: items[4].objectID) }
        let plain = NSFetchRequest<NSManagedObject>(entityName: "Item")
        plain.includesSubentities = false
        try context.execute(NSBatchDeleteRequest(fetchRequest: plain))
        #expect(try stack.stored("name", of: "Item") == ["i5"])
    }

    @Test("objects are named by identifiers of one hierarchy (CTX-36)")
    func objectsAreNamedByIdentifiersOfOneHierarchy() throws {
        let request = NSBatchDeleteRequest(objectIDs: [items[0].objectID, items[5].objectID])
        request.resultType = .resultTypeCount
        #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 6)
        #expect(try stack.stored("name", of: "Item") == ["i1", "i2", "i3", "i4"])
        let list = try context.all("List")[0]
        let mixed = NSBatchDeleteRequest(objectIDs: [items[1].objectID, list.objectID])
        #expect(failureCode { try context.execute(mixed) } == NSCoreDataError)
        let unsaved = NSBatchDeleteRequest(objectIDs: [context.insert("Item").objectID])
        #expect(failureCode { try context.execute(unsaved) } != nil)
        try context.execute(NSBatchDeleteRequest(objectIDs: []))
        #expect(try stack.stored("name", of: "Item").count == 4)
    }
}
