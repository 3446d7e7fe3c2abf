import CoreDataGraph
import StoreContract
import TestBasics
import Testing

@testable import CoreDataRecordStores

@Suite(.timeLimit(.minutes(20))) struct RecordTablesTests {
    private func stack() throws -> (Stack, RecordTables) {
        let builder = ModelBuilder()
        builder.entity("Item", ["number": .integer64AttributeType, "name": .stringAttributeType])
        builder.entity("Special", in: "Item")
        let stack = try Stack(builder.model, kind: .inMemory)
        let records = try #require(stack.store.objects as? MemoryStore)
        return (stack, records.tables)
    }

    @Test("1,000 rounds of writing over the same 1,000 rows keep memory bounded (STO-03)")
    func updatesKeepMemoryBounded() throws {
        let (stack, tables) = try stack()
        let items = (0..<1_000).map { stack.context.insert("Item", ["number": $0, "name": "item"]) }
        try stack.context.save()
        let bytes = tables.byteCount
        var random = SeededRandom(seed: 7)
        for round in 0..<1_000 {
            for _ in 0..<20 { items[random.next(below: 1_000)].setValue("round \(round)", forKey: "name") }
            try stack.context.save()
            #expect(tables.byteCount < bytes * 3)
            #expect(tables.slabCount < 40)
        }
        for (number, item) in items.enumerated() { #expect(item.value(forKey: "number") as? Int == number) }
        let found = try stack.newContext().all("Item", sortedBy: "number")
        #expect(found.map { $0.value(forKey: "name") as? String } == items.map { $0.value(forKey: "name") as? String })
    }

    @Test("rows inserted one save at a time end up in few slabs, in the order of their keys (STO-03)")
    func singleInsertionsArePutTogether() throws {
        let (stack, tables) = try stack()
        for number in 0..<2_000 {
            stack.context.insert(number % 3 == 0 ? "Special" : "Item", ["number": number])
            try stack.context.save()
        }
        #expect(tables.slabCount < 60)
        let numbers = try stack.newContext().all("Item").map { $0.value(forKey: "number") as? Int }
        #expect(numbers == Array(0..<2_000))
        #expect(try stack.newContext().all("Special").count == 667)
    }

    @Test func deletedRowsAreLetGo() throws {
        let (stack, tables) = try stack()
        let items = (0..<5_000).map { stack.context.insert("Item", ["number": $0, "name": "x"]) }
        try stack.context.save()
        for item in items.dropLast(3) { stack.context.delete(item) }
        try stack.context.save()
        #expect(tables.slabCount == 1)
        #expect(tables.byteCount < 200)
        let left = try stack.newContext().all("Item", NSPredicate(format: "number >= 0"))
        #expect(left.map { $0.value(forKey: "number") as? Int } == [4_997, 4_998, 4_999])
    }

    @Test func largeValueThatWasWrittenOverIsLetGo() throws {
        let (stack, tables) = try stack()
        let items = (0..<100).map { stack.context.insert("Item", ["number": $0, "name": "x"]) }
        items[50].setValue(String(repeating: "y", count: 1 << 20), forKey: "name")
        try stack.context.save()
        #expect(tables.byteCount > 1 << 20)
        items[50].setValue("z", forKey: "name")
        try stack.context.save()
        #expect(tables.byteCount < 1 << 16)
        #expect(try stack.newContext().all("Item", NSPredicate(format: "name == 'x'")).count == 99)
    }

    @Test func everythingOfAnEntityComesInRunsOfItsSlabs() throws {
        let (stack, _) = try stack()
        for number in 0..<3_500 { stack.context.insert("Item", ["number": number]) }
        try stack.context.save()
        let layout = try #require(ModelLayout.of(stack.model).layout(named: "Item"))
        let query = FetchQuery(binding: stack.store.binding(for: layout))
        guard case .rows(let runs)? = try stack.store.objects?.fetch(query) else {
            Issue.record("no rows")
            return
        }
        #expect(runs.count <= 6)
        #expect(runs.reduce(0) { $0 + $1.range.count } == 3_500)
    }

    @Test("equality with keys looks at these records alone (STO-03)")
    func keysAreFoundWithoutScanning() throws {
        let (stack, tables) = try stack()
        let items = (0..<10).map { stack.context.insert("Item", ["number": $0]) }
        try stack.context.save()
        let layout = try #require(ModelLayout.of(stack.model).layout(named: "Item"))
        let search = KeySearch(tables: tables, entity: layout, storeIdentifier: stack.store.identifier)
        let key = items[3].objectID.key
        func keys(_ format: String, _ argument: Any) throws -> Set<Int64>? {
            search.keys(try NSPredicate(parsing: format, arguments: [argument]))
        }
        #expect(try keys("SELF == %@", items[3]) == [key])
        #expect(try keys("objectID == %@ AND number > 4", items[3].objectID) == [key])
        #expect(try keys("SELF IN %@", [items[3], items[4]]) == [key, items[4].objectID.key])
        #expect(try keys("SELF == %@ OR number == 1", items[3]) == nil)
        #expect(try keys("NOT SELF == %@", items[3]) == nil)
        #expect(try keys("SELF IN %@", [items[3], NSNull()]) == nil)
    }
}
