import CoreData
import StoreContract
import Testing

/// What a child context reads of a fetch with a batch size.
@Suite("Batches of child contexts")
struct ChildBatchTests {
    @Test(
        "a child reads the rows of a fetch a batch at a time, whatever its parent has (CTX-06)",
        arguments: [false, true])
    func childReadsRowsOfFetchBatchAtTime(parentHasFaults: Bool) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "number": .integer64AttributeType])
        let writer = try Stack(builder.model)
        for number in 0..<60 { writer.context.insert("Item", ["name": "n\(number)", "number": number]) }
        try writer.context.save()
        let stack = try writer.reopened()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        request.fetchBatchSize = 20
        let held = parentHasFaults ? try stack.context.fetch(request) : []
        var items: [NSManagedObject] = []
        try stack.expectStatements(1) { items = try child.fetch(request) }
        #expect(items.count == 60 && items.allSatisfy(\.isFault))
        for batch in 0..<3 {
            stack.expectStatements(1) {
                for number in batch * 20..<batch * 20 + 20 {
                    #expect(items[number].value(forKey: "number") as? Int == number)
                }
            }
        }
        #expect(held.allSatisfy { $0.isFault })
    }
}
