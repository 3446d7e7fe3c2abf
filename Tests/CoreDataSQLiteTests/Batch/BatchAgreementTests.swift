import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Random batch requests against the same done with objects, on two stores that are alike; seeds are printed.
@Suite("Batch requests agree with objects")
struct BatchAgreementTests {
    @Test("random batches leave what objects leave (CTX-36, FET)", .timeLimit(.minutes(20)), arguments: 0..<60)
    func ctx36FETRandomBatchesLeaveWhatObjectsLeave(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) &+ 7_000)
        let rules = (0..<10).map { _ in
            [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule, .nullifyDeleteRule][
                random.next(below: 4)]
        }
        let batches = try BatchWorld(rules: rules, seed: random.next())
        let objects = try BatchWorld(rules: rules, seed: batches.seed)
        #expect(try batches.dump() == objects.dump(), "seed \(seed) at the start")
        for step in 0..<8 {
            let change = BatchWorld.Change(&random, step: step)
            let (one, other) = (try batches.carryOutAsBatch(change), try objects.carryOutWithObjects(change))
            #expect(one == other, "seed \(seed), step \(step): \(change)")
            let (left, right) = (try batches.dump(), try objects.dump())
            #expect(left == right, "seed \(seed), step \(step): \(change)")
            guard left == right else { return }
        }
        try batches.expectSound()
    }
}

/// A store of nodes and groups that a seed fills, with rules that the test chooses.
final class BatchWorld {
    let stack: Stack
    let seed: UInt64

    /// One change of the store.
    enum Change {
        case update(entity: String, values: [(String, Any?)], NSPredicate?)
        case delete(entity: String, NSPredicate?, limit: Int)
        case insert(entity: String, [[String: Any]])
    }

    init(rules: [NSDeleteRule], seed: UInt64) throws {
        self.seed = seed
        let builder = ModelBuilder()
        builder.entity(
            "Node",
            [
                "name": .stringAttributeType, "number": .integer64AttributeType, "weight": .doubleAttributeType,
                "day": .dateAttributeType, "text": .stringAttributeType, "flag": .booleanAttributeType,
            ])
        builder.entity("SubNode", in: "Node", ["level": .integer32AttributeType])
        builder.entity("Group", ["name": .stringAttributeType, "number": .integer64AttributeType])
        builder.entity("SubGroup", in: "Group", ["level": .integer32AttributeType])
        builder.entity("Tag", ["name": .stringAttributeType])
        builder.relationships("Group.nodes*", "Node.group", rules[0], .nullifyDeleteRule)
        builder.relationships("Node.children*", "Node.parent", rules[1], .nullifyDeleteRule)
        builder.relationships("Node.tags*", "Tag.nodes*", rules[2], rules[3])
        builder.relationships("Group.leader", "Node.leads", rules[4], .nullifyDeleteRule)
        builder.relationships("SubGroup.extras*", "SubNode.home", rules[5], rules[6])
        builder.reflexive("Node.friends*")
        builder.relationship("Tag.watchers*", to: "Group")
        builder.derived("Group.size", .integer64AttributeType, "nodes.@count")
        builder.derived("Group.total", .integer64AttributeType, "nodes.@sum.number")
        builder.derived("Node.groupName", .stringAttributeType, "group.name")
        builder.derived("Node.upper", .stringAttributeType, "uppercase:(text)")
        builder.attribute("Node.number").defaultValue = 3
        stack = try Stack(builder.model)
        try fill()
    }

    private func fill() throws {
        var random = SeededRandom(seed: seed)
        let context = stack.context
        let groups = (0..<6).map {
            context.insert($0 % 2 == 0 ? "Group" : "SubGroup", ["name": "g\($0)", "number": $0])
        }
        let tags = (0..<5).map { context.insert("Tag", ["name": "t\($0)"]) }
        let nodes = (0..<24).map { number in
            context.insert(
                number % 4 == 0 ? "SubNode" : "Node",
                [
                    "name": "n\(number)", "number": random.next(below: 10), "weight": Double(random.next(below: 8)) / 4,
                    "text": ["alpha", "Beta", nil][random.next(below: 3)], "flag": random.next(below: 2) == 0,
                    "day": Date(timeIntervalSinceReferenceDate: Double(random.next(below: 1_000))),
                ])
        }
        for (number, node) in nodes.enumerated() {
            if random.next(below: 3) > 0 { node.setValue(groups[random.next(below: 6)], forKey: "group") }
            if number > 0, random.next(below: 2) > 0 {
                node.setValue(nodes[random.next(below: number)], forKey: "parent")
            }
            if random.next(below: 2) > 0 { node.setValue(NSSet(array: [tags[random.next(below: 5)]]), forKey: "tags") }
            if random.next(below: 4) > 2 {
                node.setValue(NSSet(array: [nodes[random.next(below: 24)]]), forKey: "friends")
            }
            if number % 4 == 0, random.next(below: 2) > 0 {
                node.setValue(groups[1 + 2 * random.next(below: 3)], forKey: "home")
            }
        }
        for group in groups where random.next(below: 2) > 0 {
            group.setValue(nodes[random.next(below: 24)], forKey: "leader")
        }
        for tag in tags { tag.setValue(NSSet(array: [groups[random.next(below: 6)]]), forKey: "watchers") }
        try context.save()
        context.reset()
    }

    // MARK: Changes

    func carryOutAsBatch(_ change: Change) throws -> String {
        do {
            return "\(try batch(change))"
        } catch {
            return Self.outcome(of: error)
        }
    }

    private func batch(_ change: Change) throws -> Int {
        let context = stack.context
        defer { context.reset() }
        switch change {
        case .update(let entity, let values, let predicate):
            let request = NSBatchUpdateRequest(entityName: entity)
            request.predicate = predicate
            request.resultType = .updatedObjectsCountResultType
            request.propertiesToUpdate = try Dictionary(
                uniqueKeysWithValues: values.map { ($0, try target($1, in: context)?.objectID ?? $1 ?? NSNull()) })
            return (try context.execute(request) as? NSBatchUpdateResult)?.result as? Int ?? -1
        case .delete(let entity, let predicate, let limit):
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
            fetch.predicate = predicate
            fetch.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            fetch.fetchLimit = limit
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = .resultTypeObjectIDs
            let deleted = (try context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
            return deleted.map { Set($0).count } ?? -1
        case .insert(let entity, let rows):
            let request = NSBatchInsertRequest(entityName: entity, objects: rows)
            request.resultType = .count
            return (try context.execute(request) as? NSBatchInsertResult)?.result as? Int ?? -1
        }
    }

    func carryOutWithObjects(_ change: Change) throws -> String {
        do {
            return "\(try objects(change))"
        } catch {
            return Self.outcome(of: error)
        }
    }

    private func objects(_ change: Change) throws -> Int {
        let context = stack.context
        defer { context.reset() }
        switch change {
        case .update(let entity, let values, let predicate):
            let found = try context.all(entity, predicate)
            for object in found {
                let computed = try values.map { name, value in
                    let given = try target(value, in: context) ?? value
                    return (
                        name,
                        (given as? NSExpression)?.expressionValue(with: object, context: nil)
                            ?? (given is NSExpression ? nil : given)
                    )
                }
                for (name, value) in computed { object.setValue(value, forKey: name) }
            }
            try context.save()
            return found.count
        case .delete(let entity, let predicate, let limit):
            let fetch = NSFetchRequest<NSManagedObject>(entityName: entity)
            fetch.predicate = predicate
            fetch.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            fetch.fetchLimit = limit
            for object in try context.fetch(fetch) { context.delete(object) }
            context.processPendingChanges()
            let count = context.deletedObjects.count
            try context.save()
            return count
        case .insert(let entity, let rows):
            for row in rows { context.insert(entity, row) }
            try context.save()
            return rows.count
        }
    }

    /// The group that a value names.
    private func target(_ value: Any?, in context: NSManagedObjectContext) throws -> NSManagedObject? {
        guard let name = value as? String, name.hasPrefix("→") else { return nil }
        return try context.all("Group", NSPredicate(format: "name == %@", String(name.dropFirst()))).first
    }

    private static func outcome(of error: any Error) -> String {
        let code = (error as NSError).code
        return code == NSValidationMultipleErrorsError || code == NSValidationRelationshipDeniedDeleteError
            ? "denied" : "\(error)"
    }

    // MARK: What is in the store

    /// Every record by its name, with all values and the names of what it is related to.
    func dump() throws -> [String: String] {
        let context = stack.newContext()
        var records: [String: String] = [:]
        for entity in ["Node", "Group", "Tag"] {
            for object in try context.all(entity) {
                let keys = object.entity.propertiesByName.keys.sorted()
                let values = keys.map { "\($0)=\(Self.text(object.value(forKey: $0)))" }
                let name = object.value(forKey: "name") as? String ?? "?"
                records[name] = "\(object.entity.name ?? "") " + values.joined(separator: " ")
            }
        }
        return records
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: "-"
        case let object as NSManagedObject: object.value(forKey: "name") as? String ?? "?"
        case let set as NSSet:
            "\(set.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.sorted())"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let value?: "\(value)"
        }
    }

    func expectSound() throws {
        #expect(try stack.rows("PRAGMA integrity_check") == [["ok"]])
        for table in try stack.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'") {
            let name = table[0].text ?? ""
            let columns = try stack.rows("SELECT name FROM pragma_table_info('\(name)')").compactMap { $0[0].text }
            for column in columns where column.hasPrefix("Z_") && !column.hasPrefix("Z_FOK") {
                let dangling = try stack.integer(
                    "SELECT count(*) FROM \(name) WHERE \(column) NOT IN (SELECT Z_PK FROM ZNODE) "
                        + "AND \(column) NOT IN (SELECT Z_PK FROM ZTAG)")
                #expect(dangling == 0, "\(name).\(column)")
            }
        }
        for (name, table) in [("Node", "ZNODE"), ("Group", "ZGROUP"), ("Tag", "ZTAG")] {
            let greatest = try stack.integer("SELECT IFNULL(max(Z_PK), 0) FROM \(table)") ?? 0
            #expect(try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)'") ?? 0 >= greatest)
        }
    }
}

extension BatchWorld.Change: CustomStringConvertible {
    init(_ random: inout SeededRandom, step: Int) {
        let entity = ["Node", "Node", "SubNode", "Group", "SubGroup", "Tag"][random.next(below: 6)]
        switch random.next(below: 8) {
        case 0...3: self = .update(entity: "Node", values: Self.values(&random), Self.predicate("Node", &random))
        case 4:
            self = .insert(
                entity: entity,
                (0..<random.next(below: 5)).map { number in
                    entity.hasSuffix("Node")
                        ? ["name": "new \(step) \(number)", "text": "t", "weight": 1.5, "flag": true]
                        : ["name": "new \(step) \(number)"]
                })
        default: self = .delete(entity: entity, Self.predicate(entity, &random), limit: random.next(below: 3))
        }
    }

    private static func values(_ random: inout SeededRandom) -> [(String, Any?)] {
        let all: [(String, Any?)] = [
            ("number", random.next(below: 9)), ("number", NSExpression(format: "number * 2 - 1")),
            ("number", NSExpression(format: "children.@count")),
            ("weight", NSExpression(format: "number + weight / 2")),
            ("weight", nil), ("text", "Gamma"), ("text", NSExpression(format: "lowercase:(text)")),
            ("flag", random.next(below: 2) == 0), ("day", Date(timeIntervalSinceReferenceDate: 5)),
            ("text", NSExpression(format: "group.name")), ("group", "→g\(random.next(below: 6))"), ("group", nil),
        ]
        var chosen: [String: Any?] = [:]
        for _ in 0...random.next(below: 3) {
            let one = all[random.next(below: all.count)]
            chosen[one.0] = one.1
        }
        return chosen.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static func predicate(_ entity: String, _ random: inout SeededRandom) -> NSPredicate? {
        guard entity.hasSuffix("Node") else {
            return NSPredicate(format: "name ENDSWITH %@", "\(random.next(below: 6))")
        }
        return switch random.next(below: 5) {
        case 0: NSPredicate(format: "number > %@", random.next(below: 9))
        case 1: NSPredicate(format: "group.name == %@", "g\(random.next(below: 6))")
        case 2: NSPredicate(format: "ANY children.number < %@", random.next(below: 9))
        case 3: NSPredicate(format: "text == nil OR name CONTAINS '1'")
        default: NSPredicate(format: "name == %@", "n\(random.next(below: 24))")
        }
    }

    var description: String {
        switch self {
        case .update(let entity, let values, let predicate):
            "update \(entity) \(values) where \(predicate.map { "\($0)" } ?? "all")"
        case .delete(let entity, let predicate, let limit):
            "delete \(limit) \(entity) where \(predicate.map { "\($0)" } ?? "all")"
        case .insert(let entity, let rows): "insert \(rows.count) \(entity)"
        }
    }
}
