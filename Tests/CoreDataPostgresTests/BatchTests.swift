import CoreData
import CoreDataPostgres
import StoreContract
import TestServers
import Testing

/// Batch requests do on a server what they do in a file of SQLite.
@Suite("Batch requests on a server", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct BatchTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("List", ["name": .stringAttributeType])
        builder.entity(
            "Item", ["name": .stringAttributeType, "code": .stringAttributeType, "count": .integer64AttributeType])
        builder.entity("Special", in: "Item", ["level": .integer64AttributeType])
        for name in ["Part", "Cover", "Label", "Receipt"] { builder.entity(name, ["name": .stringAttributeType]) }
        builder.relationships("List.items*", "Item.list")
        builder.relationships("Item.parts*!", "Part.item", .cascadeDeleteRule)
        builder.relationships("Item.cover", "Cover.item")
        builder.relationships("Item.labels*", "Label.items*")
        builder.relationships("Item.receipts*", "Receipt.item", .denyDeleteRule)
        builder.derived("List.size", .integer64AttributeType, "items.@count")
        builder["Item"].uniquenessConstraints = [["code"]]
        return builder.model
    }

    /// The same objects in a file and on a server.
    private func stacks() throws -> [Stack] {
        let model = Self.model()
        let stacks = [
            try Stack(model), try Stack(model, url: PostgresServer.shared.get().makeURL("batch"), kind: .postgreSQL),
        ]
        for stack in stacks {
            let lists = (0..<3).map { stack.context.insert("List", ["name": "list \($0)"]) }
            let labels = (0..<4).map { stack.context.insert("Label", ["name": "label \($0)"]) }
            for number in 0..<30 {
                let item = stack.context.insert(
                    number % 5 == 0 ? "Special" : "Item", ["name": "i\(number)", "code": "c\(number)", "count": number])
                item.setValue(lists[number % 3], forKey: "list")
                item.setValue(NSSet(array: [labels[number % 4], labels[number % 2]]), forKey: "labels")
                item.setValue(stack.context.insert("Cover", ["name": "cover \(number)"]), forKey: "cover")
                let parts = (0..<2).map { stack.context.insert("Part", ["name": "p\(number)-\($0)"]) }
                item.setValue(NSOrderedSet(array: parts), forKey: "parts")
            }
            try stack.context.save()
            stack.context.reset()
        }
        return stacks
    }

    /// All that a store has, as texts.
    private func contents(_ stack: Stack) throws -> [String] {
        stack.context.reset()
        var texts: [String] = []
        for entity in ["List", "Item", "Part", "Cover", "Label", "Receipt"] {
            for object in try stack.context.all(entity) {
                let properties = object.entity.propertiesByName.keys.sorted().map { key in
                    "\(key)=\(Self.text(object.value(forKey: key)))"
                }
                texts.append("\(object.entity.name ?? "") \(properties.joined(separator: " "))")
            }
        }
        return texts.sorted()
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case let object as NSManagedObject: "\(object.value(forKey: "name") ?? "nil")"
        case let set as NSOrderedSet: set.array.map { text($0) }.joined(separator: "+")
        case let set as NSSet: set.allObjects.map { text($0) }.sorted().joined(separator: "+")
        default: "\(value ?? "nil")"
        }
    }

    /// What a request gives, or its error's code; the stores' contents after it must be the same.
    private func expectSame(
        _ stacks: [Stack], _ note: Comment, _ body: (NSManagedObjectContext) throws -> Any?
    ) throws {
        let results = stacks.map { stack -> String in
            do { return "\(try body(stack.context) ?? "nil")" } catch { return "error \((error as NSError).code)" }
        }
        #expect(results[0] == results[1], note)
        #expect(try contents(stacks[0]) == contents(stacks[1]), note)
    }

    @Test("updates with values and expressions, deletions with all their rules, and refusals are the same (CTX-36)")
    func updatesAndDeletions() throws {
        let stacks = try stacks()
        func update(_ values: [String: Any], _ format: String, _ entity: String = "Item") throws {
            try expectSame(stacks, "\(format)") { context in
                let request = NSBatchUpdateRequest(entityName: entity)
                request.predicate = NSPredicate(format: format)
                request.propertiesToUpdate = values
                request.resultType = .updatedObjectsCountResultType
                return (try context.execute(request) as? NSBatchUpdateResult)?.result
            }
        }
        func delete(_ format: String, _ entity: String = "Item") throws {
            try expectSame(stacks, "\(format)") { context in
                let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
                fetch.predicate = NSPredicate(format: format)
                let request = NSBatchDeleteRequest(fetchRequest: fetch)
                request.resultType = .resultTypeCount
                return (try context.execute(request) as? NSBatchDeleteResult)?.result
            }
        }
        try update(["name": "new"], "count < 5")
        try update(["count": NSExpression(format: "count * 2 + 1")], "list.name == 'list 1'")
        try update(["name": NSExpression(format: "uppercase:(code)"), "count": 7], "name MATCHES 'i1.*'")
        try update(["level": 3], "count > 0", "Special")
        try update(["code": "same"], "count > 0")
        try delete("count == 7 OR name BEGINSWITH[c] 'C'")
        for stack in stacks {
            let item = try #require(
                try stack.context.all("Item").first { $0.value(forKey: "code") as? String == "c29" })
            item.setValue(NSSet(array: [stack.context.insert("Receipt", ["name": "r"])]), forKey: "receipts")
            try stack.context.save()
        }
        try delete("code != nil")
        try delete("name == 'list 0'", "List")
        try delete("name ENDSWITH '1'", "Label")
        try delete("code != 'c29'")
        try delete("TRUEPREDICATE", "Cover")
    }

    @Test("a batch that would empty a required inverse is refused in the same words, cascades included (CTX-36)")
    func requiredInverses() throws {
        let builder = ModelBuilder()
        for name in ["Day", "Talk", "Role", "Room"] { builder.entity(name, ["name": .stringAttributeType]) }
        builder.relationships("Day.talks*", "Talk.day", .cascadeDeleteRule)
        builder.relationships("Talk.role", "Role.talk")
        builder.relationships("Talk.room", "Room.talks*")
        builder["Role"].relationshipsByName["talk"]?.isOptional = false
        builder["Room"].relationshipsByName["talks"]?.isOptional = false
        builder["Room"].relationshipsByName["talks"]?.minCount = 2
        let url = try PostgresServer.shared.get().makeURL("batch")
        for stack in [try Stack(builder.model), try Stack(builder.model, url: url, kind: .postgreSQL)] {
            let context = stack.context
            let day = context.insert("Day", ["name": "d"])
            let room = context.insert("Room", ["name": "r"])
            let talks = ["a", "b", "c"].map { context.insert("Talk", ["name": $0, "day": day, "room": room]) }
            let role = context.insert("Role", ["name": "role", "talk": talks[0]])
            try context.save()
            func refusal(_ entity: String, _ format: String) -> String? {
                let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
                fetch.predicate = NSPredicate(format: format)
                do {
                    try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
                    return nil
                } catch {
                    return (error as NSError).localizedFailureReason
                }
            }
            let reason = "Constraint trigger violation: Batch delete failed due to mandatory "
            #expect(refusal("Day", "TRUEPREDICATE") == reason + "OTO nullify inverse on Talk/role")
            #expect(refusal("Talk", "name == 'a'") == reason + "OTO nullify inverse on Talk/role")
            #expect(refusal("Talk", "name != 'a'") == reason + "MTO nullify inverse on Talk/room")
            #expect(try stack.newContext().all("Talk").count == 3)
            context.delete(role)
            try context.save()
            #expect(refusal("Day", "TRUEPREDICATE") == reason + "MTO nullify inverse on Talk/room")
            #expect(try stack.newContext().all("Day").count == 1)
            #expect(try stack.newContext().all("Talk").count == 3)
            #expect(refusal("Talk", "name == 'c'") == nil)
            #expect(refusal("Talk", "TRUEPREDICATE") == reason + "MTO nullify inverse on Talk/room")
            #expect(try stack.newContext().all("Talk").count == 2)
            let other = stack.newContext()
            try other.all("Room").forEach(other.delete)
            try other.save()
            #expect(refusal("Day", "TRUEPREDICATE") == nil)
            #expect(try stack.newContext().all("Talk").isEmpty)
        }
    }

    @Test(
        "rows are inserted by the thousand; those whose unique values are there are refused, kept out or written over (CTX-36)"
    )
    func rowsAreInsertedByThousand() throws {
        let stacks = try stacks()
        func insert(_ rows: [[String: Any]], _ policy: NSMergePolicy) throws {
            try expectSame(stacks, "\(rows.count) rows") { context in
                context.mergePolicy = policy
                defer { context.mergePolicy = NSMergePolicy.error }
                let request = NSBatchInsertRequest(entityName: "Item", objects: rows)
                request.resultType = .count
                return (try context.execute(request) as? NSBatchInsertResult)?.result
            }
        }
        try insert((0..<1_300).map { ["name": "n\($0)", "code": "n\($0)", "count": $0] }, .error)
        try insert([["code": "x1"], ["code": "c3"]], .error)
        try insert(
            [["code": "x2", "name": "x2"], ["code": "c3", "name": "lost"], ["code": "x2", "name": "twice"]],
            .mergeByPropertyStoreTrump)
        try insert(
            [["code": "x3", "name": "first"], ["code": "c3", "name": "won"], ["code": "x3", "name": "second"]],
            .mergeByPropertyObjectTrump)
    }
}
