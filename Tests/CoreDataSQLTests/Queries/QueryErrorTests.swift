import CoreDataFoundation
import CoreDataSQL
import Foundation
import SQLiteKit
import Testing

@MainActor
@Suite("Queries that have no SQL")
struct QueryErrorTests {
    private var world: QueryWorld { DifferentialTests.world }

    private func error(_ predicate: NSPredicate, _ entity: String = "Person") -> QueryError? {
        #expect(throws: QueryError.self) { try world.compiled(predicate, entity) }
    }

    private func error(_ format: String, _ arguments: Any?...) throws -> QueryError? {
        error(try NSPredicate(parsing: format, arguments: arguments))
    }

    private func sortError(_ descriptor: NSSortDescriptor) -> QueryError? {
        #expect(throws: QueryError.self) {
            try world.compiler.select(world.query("Person", nil, sortedBy: [descriptor]), columns: ["Z_PK"])
        }
    }

    @Test("a transient attribute is refused with its name (FET-20)")
    func transientAttributeIsRefused() throws {
        let found = try #require(try error("age > 5"))
        #expect(found.code == .transientProperty)
        #expect(found.entity == "Person" && found.key == "age")
        #expect(sortError(NSSortDescriptor(key: "age", ascending: true))?.code == .transientProperty)
    }

    @Test("an unknown key is named with its entity and the nearest key (HAZ-54)")
    func unknownKeyIsNamed() throws {
        let found = try #require(try error("department.nmae == 'a'"))
        #expect(found.code == .unknownKey)
        #expect(found.description == "Department.nmae: the entity has no property of this name; did you mean \"name\"?")
        for path in ["_storage", "salary", "name.first", "department.", "", "isDeleted", "Z_PK", "@count"] {
            let predicate = NSPredicate(format: "%K == nil", path.isEmpty ? "." : path)
            #expect(error(predicate)?.code == .unknownKey, "\(path)")
        }
        let deep = NSPredicate(format: "%K == 'a'", String(repeating: "self.", count: 20_000) + "name")
        #expect(try world.keys(world.query("Person", deep)).count > 0)
    }

    @Test("a path through a to-many relationship needs a quantifier (HAZ-54)")
    func collectionNeedsQuantifier() throws {
        for format in ["reports.small > 5", "reports == nil", "reports.name == 'a'", "reports.name BEGINSWITH 'a'"] {
            #expect(try error(format)?.code == .needsQuantifier, "\(format)")
        }
        #expect(try error("ANY small > 5")?.code == .needsCollection)
    }

    @Test("sorting by what has no order is refused (HAZ-55)")
    func unsortableKeysAreRefused() {
        for key in ["extra", "photo", "reports", "reports.name", "department", "film"] {
            #expect(sortError(NSSortDescriptor(key: key, ascending: true))?.code == .unsortable, "\(key)")
        }
    }

    @Test("an unknown comparison is named; a registered collation works (PRD-31)")
    func unknownComparisonIsNamed() throws {
        let custom = sortError(NSSortDescriptor(key: "name", ascending: true, selector: "myCustomCompare:"))
        #expect(custom?.reason == "unsupported NSSortDescriptor selector: myCustomCompare:")
        let block = NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }
        #expect(sortError(block)?.code == .unsupported)
        let known = NSSortDescriptor(key: "name", ascending: true, selector: "weekdayOrder:")
        let compiled = try world.compiler.select(world.query("Person", nil, sortedBy: [known]), columns: ["Z_PK"])
        #expect(compiled.sql.hasSuffix("ORDER BY t0.ZNAME COLLATE \"weekdayOrder:\""))
    }

    @Test("What is not stored as itself can only be compared with nil")
    func opaqueValuesAreRefused() throws {
        #expect(try error("extra == %@", Data([1]))?.code == .notStored)
        #expect(try error("film == %@", Data([1]))?.code == .notStored)
        #expect(try error("similar == nil")?.code == .notStored)
        #expect(try error("extra IN %@", [1, 2])?.code == .notStored)
    }

    @Test(
        "functions without SQL are refused, chance among them (PRD-27)",
        arguments: [
            "random() < 2", "random(3) < 9", "random() + 1 > small", "name[0] == 'x'", "mode({small, medium}) == 1",
        ])
    func functionsWithoutSQLAreRefused(format: String) throws {
        #expect(try error(format)?.code == .unsupported)
    }

    @Test("Swift code and values of unsuitable types are refused, or fail as in memory")
    func unsupportedIsRefused() throws {
        #expect(error(NSPredicate { _, _ in true })?.code == .unsupported)
        #expect(try error("name == $missing")?.code == .unsupported)
        #expect(try error("small BEGINSWITH 'a'")?.code == .unsuitableType)
        #expect(try error("name CONTAINS 5")?.code == .unsuitableType)
        #expect(try error("name + 1 == 2")?.code == .unsuitableType)
        #expect(throws: ExpressionError.self) { try world.compiled(NSPredicate(format: "name MATCHES '('")) }
        #expect(throws: ExpressionError.self) { try world.compiled(NSPredicate(format: "small BETWEEN {1, 2, 3}")) }
        #expect(throws: ExpressionError.self) { try world.compiled(NSPredicate(format: "small IN 5")) }
    }

    @Test("a regular expression without end is given up (HAZ-53)")
    func endlessExpressionIsGivenUp() throws {
        let text = String(repeating: "a", count: 60) + "!"
        let compiled = try world.compiled(NSPredicate(format: "name MATCHES '(a+)+$' OR %@ == name", text))
        #expect(throws: SQLiteError.self) {
            let sql = compiled.sql.split(separator: " WHERE ")[1]
            let values = compiled.parameters.map { Value($0) }
            _ = try world.connection.rows(
                "SELECT 1 FROM (SELECT ? AS ZNAME) t0 WHERE " + sql, [.text(text)] + values)
        }
    }

    @Test("a predicate nested 100,000 deep is an error, one beyond the parser's depth too (HAZ-51)")
    func deepPredicateIsRefused() {
        var predicate = NSPredicate(format: "small == 1")
        var alive: [NSPredicate] = [predicate]
        for _ in 0..<100_000 {
            predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
            alive.append(predicate)
        }
        #expect(error(predicate)?.code == .tooDeep)
        // From the outside in, so that no release runs through all of them.
        predicate = NSPredicate(value: true)
        while alive.popLast() != nil {}
    }

    @Test(
        "nested conditions either run or are refused before the database sees them (HAZ-51)",
        arguments: [10, 25, 40, 100, 250])
    func nestedConditionsRunOrAreRefused(depth: Int) throws {
        for kind in 0..<5 {
            let predicate = nested(kind, depth)
            do {
                let found = try world.keys(world.query("Person", predicate)).sorted()
                #expect(try found == world.keysInMemory(predicate))
            } catch let error as QueryError {
                #expect(error.code == .tooDeep)
                #expect(depth > 10 || kind == 3)
            }
        }
    }

    private func nested(_ kind: Int, _ depth: Int) -> NSPredicate {
        let other = NSPredicate(format: "medium == 2")
        return (0..<depth).reduce(NSPredicate(format: "small == 1")) { inner, level in
            switch kind {
            case 0 where level.isMultiple(of: 2): NSCompoundPredicate(andPredicateWithSubpredicates: [other, inner])
            case 0: NSCompoundPredicate(orPredicateWithSubpredicates: [other, inner])
            case 1: NSCompoundPredicate(notPredicateWithSubpredicate: inner)
            case 2: NSPredicate(format: "TERNARY(%@, 1, 2) == 1", inner)
            case 3: NSPredicate(format: "SUBQUERY(reports, $r, %@).@count > 0", inner)
            default:
                NSCompoundPredicate(
                    notPredicateWithSubpredicate: NSCompoundPredicate(andPredicateWithSubpredicates: [inner, other]))
            }
        }
    }

    @Test("Thousands of conditions side by side, and long sums, run")
    func wideConditionsRun() throws {
        let parts = (0..<9000).map { NSPredicate(format: "small == %@", $0) }
        let wide = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        #expect(try world.keys(world.query("Person", wide)).sorted() == world.keysInMemory(wide))
        let sum = NSPredicate(format: (0..<400).map { _ in "small" }.joined(separator: " + ") + " == 2000")
        #expect(try world.keys(world.query("Person", sum)).sorted() == world.keysInMemory(sum))
        let many = NSCompoundPredicate(
            orPredicateWithSubpredicates: (0..<40_000).map { NSPredicate(format: "small == %@", $0) })
        #expect(error(many)?.code == .tooLarge)
    }

    @Test("a path through more tables than a query can join is refused (HAZ-54)")
    func longPathIsRefused() throws {
        let path = { (count: Int) in String(repeating: "boss.", count: count) + "name" }
        #expect(error(NSPredicate(format: "%K == 'a'", path(64)))?.code == .tooLarge)
        #expect(try world.keys(world.query("Person", NSPredicate(format: "%K != 'a'", path(60)))).count == 320)
    }

    @Test("A predicate that shares its parts endlessly is refused")
    func sharedPartsAreCounted() {
        let predicate = (0..<64).reduce(NSPredicate(format: "small == 1")) { inner, _ in
            NSCompoundPredicate(andPredicateWithSubpredicates: [inner, inner])
        }
        #expect(error(predicate)?.code == .tooLarge)
    }
}
