import CoreData
import StoreContract
import Testing

/// Lists far beyond what SQLite takes as parameters of one statement.
@Suite struct LongListTests {
    private static let length = 100_000
    private static let rows = 2_000

    private static func token(_ number: Int) -> UUID {
        let digits = String(number, radix: 16)
        return UUID(uuidString: "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits)
            ?? UUID()
    }

    /// Things with every second number from 0, one of them without any value.
    private func things() throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Thing",
            ["number": .integer64AttributeType, "name": .stringAttributeType, "token": .UUIDAttributeType])
        builder.entity("Owner", ["number": .integer64AttributeType])
        builder.relationships("Thing.owner", "Owner.things*")
        let stack = try Stack(builder.model)
        let owners = (0..<10).map { stack.context.insert("Owner", ["number": $0]) }
        for number in 0..<Self.rows {
            let thing = stack.context.insert(
                "Thing",
                ["number": number * 2, "name": "name \(number * 2)", "token": Self.token(number * 2)])
            if number % 3 > 0 { thing.setValue(owners[number % 10], forKey: "owner") }
        }
        stack.context.insert("Thing")
        try stack.context.save()
        return stack
    }

    private func expect(_ stack: Stack, _ format: String, _ list: [Any?], _ count: Int) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = try NSPredicate(parsing: format, arguments: [list])
        #expect(try stack.context.count(for: request) == count, "\(format)")
        #expect(try stack.context.fetch(request).count == count, "\(format)")
    }

    @Test(
        "lists of 100,000 numbers, texts and UUIDs, negated and with nil among them (PRD-21)", .timeLimit(.minutes(20)))
    func listsOfValues() throws {
        let stack = try things()
        // Odd numbers and those from 3,000 on, so that 1,500 of the 2,000 are in the list.
        let numbers =
            (0..<Self.length).map { $0 % 2 == 1 && $0 < 3_000 ? -$0 : $0 }.filter { $0 < 3_000 }
            + Array(10_000..<Self.length)
        for (key, values) in [
            ("number", numbers.map { $0 as Any? }), ("name", numbers.map { "name \($0)" as Any? }),
            ("token", numbers.map { $0 < 0 ? UUID() : Self.token($0) as Any? }),
        ] {
            try expect(stack, "\(key) IN %@", values, 1_500)
            try expect(stack, "NOT \(key) IN %@", values, 501)
            try expect(stack, "\(key) IN %@", values + [nil], 1_501)
            try expect(stack, "NOT \(key) IN %@", values + [nil], 500)
        }
    }

    @Test(
        "lists of 100,000 identifiers and objects, temporary and foreign ones among them (PRD-21)",
        .timeLimit(.minutes(20)))
    func listsOfObjects() throws {
        let stack = try things()
        let all = try stack.context.all("Thing", sortedBy: "number")
        let half = all.filter { ($0.value(forKey: "number") as? Int).map { $0 < 2_000 } ?? false }
        let owners = try stack.context.all("Owner")
        let repeated = (0..<Self.length).map { half[$0 % half.count] as Any? }
        let identifiers = (0..<Self.length).map { half[$0 % half.count].objectID as Any? }
        let unsaved = NSManagedObject(entity: half[0].entity, insertInto: nil)
        for list in [repeated, identifiers, repeated + [unsaved, owners[0], nil]] {
            try expect(stack, "SELF IN %@", list, 1_000)
            try expect(stack, "NOT SELF IN %@", list, 1_001)
        }
        let ownerList = (0..<Self.length).map { owners[$0 % 5] as Any? }
        let owned = all.count { thing in
            (thing.value(forKey: "owner") as? NSManagedObject).map { owners[..<5].contains($0) } ?? false
        }
        let free = all.count { $0.value(forKey: "owner") == nil }
        try expect(stack, "owner IN %@", ownerList, owned)
        try expect(stack, "owner IN %@", ownerList + [nil], owned + free)
        try expect(stack, "NOT owner IN %@", ownerList, all.count - owned)
    }
}
