import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

@Suite struct ExplainingTests {
    /// 300 items with numbers 0 to 299 and ten of each group, each with a part of the same number.
    private func stack() throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            ["number": .integer32AttributeType, "group": .integer32AttributeType, "title": .stringAttributeType])
        builder.entity("Part", ["number": .integer32AttributeType])
        builder.relationships("Item.parts*", "Part.item")
        let stack = try Stack(builder.model)
        for number in 0..<300 {
            let item = stack.context.insert(
                "Item", ["number": number, "group": number % 30, "title": "Item \(number % 7)"])
            stack.context.insert("Part", ["number": number, "item": item])
        }
        try stack.context.save()
        return stack
    }

    private func explain(
        _ stack: Stack, _ predicate: NSPredicate?, sort: [NSSortDescriptor] = [], limit: Int = 0,
        _ candidates: [IndexCandidate] = [], greatestCopy: Int = 1 << 30
    ) throws -> (explanation: QueryExplanation, helpful: [IndexTrialResult]) {
        let store = try #require(stack.store as? SQLiteStore)
        let layout = try #require(ModelLayout.of(stack.model).layout(named: "Item"))
        let query = FetchQuery(
            binding: store.binding(for: layout), predicate: predicate, sortDescriptors: sort, limit: limit)
        return try store.withBackend {
            try $0.explain(query, candidates: candidates, greatestCopy: greatestCopy)
        }
    }

    private func index(_ entity: String, _ properties: String...) -> IndexCandidate {
        IndexCandidate(
            entity: entity, name: "by" + properties.joined(),
            elements: properties.map { .init(property: $0, isAscending: true) })
    }

    @Test func scanVisitsEveryRow() throws {
        let (explanation, _) = try explain(try stack(), NSPredicate(format: "number == 7 OR title == 'x'"))
        #expect(explanation.rowsReturned == 1)
        #expect(explanation.scanSteps == 299)
        #expect(explanation.visits == [.init(table: "ZITEM", alias: "t0", rows: 300)])
        #expect(explanation.planLines == ["`--SCAN t0"])
        #expect(!explanation.isSorted)
    }

    @Test func rowsThatAnIndexFindsAreVisitedAlone() throws {
        let stack = try stack()
        try stack.execute("CREATE INDEX known ON ZITEM (ZGROUP)")
        let (explanation, _) = try explain(stack, NSPredicate(format: "group == 3 AND title == 'Item 1'"))
        #expect(explanation.visits == [.init(table: "ZITEM", alias: "t0", rows: 10)])
        #expect(explanation.scanSteps == 0)
        #expect(explanation.rowsReturned < 10)
    }

    @Test func rowsOfInnerQueriesAreVisitedToo() throws {
        let (explanation, _) = try explain(try stack(), NSPredicate(format: "ANY parts.number == 5"))
        #expect(explanation.rowsReturned == 1)
        let parts = try #require(explanation.visits?.first { $0.table == "ZPART" })
        #expect(parts.rows >= 1)
    }

    @Test func indexThatHelpsIsSeenToHelp() throws {
        let stack = try stack()
        let before = try Data(contentsOf: stack.url)
        let (explanation, helpful) = try explain(
            stack, NSPredicate(format: "group == 3"), sort: [NSSortDescriptor(key: "number", ascending: true)],
            [index("Item", "title"), index("Item", "group"), index("Item", "group", "number"), index("Item", "number")])
        #expect(explanation.isSorted)
        #expect(helpful.map { $0.candidate.elements.map(\.property) } == [["group", "number"], ["group"], ["number"]])
        let best = try #require(helpful.first)
        #expect(best.isMeasured && !best.explanation.isSorted)
        #expect(best.explanation.visits == [.init(table: "ZITEM", alias: "t0", rows: 10)])
        #expect(best.explanation.rowsReturned == explanation.rowsReturned)
        #expect(
            best.sql
                == "CREATE INDEX Z_Item_bygroupnumber ON ZITEM (ZGROUP COLLATE BINARY ASC, ZNUMBER COLLATE BINARY ASC)")
        #expect(try Data(contentsOf: stack.url) == before)
        #expect(try stack.rows("SELECT name FROM sqlite_master WHERE name LIKE 'Z_Item%'").isEmpty)
    }

    @Test func indexOfAnotherEntityHelpsAPath() throws {
        let stack = try stack()
        let (_, helpful) = try explain(
            stack, NSPredicate(format: "ANY parts.number == 5"), [index("Part", "number"), index("Part", "none")])
        for result in helpful { #expect(result.candidate.entity == "Part") }
    }

    @Test func fileThatIsTooLargeIsPlannedOnly() throws {
        let stack = try stack()
        try stack.execute("ANALYZE")
        let (explanation, helpful) = try explain(
            stack, NSPredicate(format: "group == 3"), [index("Item", "group"), index("Item", "title")],
            greatestCopy: 1)
        #expect(explanation.rowsReturned == 10)
        let best = try #require(helpful.first)
        #expect(helpful.count == 1 && best.candidate.name == "bygroup")
        #expect(!best.isMeasured && best.explanation.visits == nil)
        #expect(best.explanation.planLines == ["`--SEARCH t0 USING INDEX Z_Item_bygroup (ZGROUP=?)"])
    }

    @Test("a large file that was never analyzed is planned too")
    func fileWithoutStatisticsIsPlanned() throws {
        let stack = try stack()
        let (explanation, helpful) = try explain(
            stack, NSPredicate(format: "group == 3"), [index("Item", "group")], greatestCopy: 1)
        #expect(explanation.rowsReturned == 10)
        #expect(helpful.first?.explanation.planLines == ["`--SEARCH t0 USING INDEX Z_Item_bygroup (ZGROUP=?)"])
    }

    @Test func indexThatTheStoreHasIsNotTriedAgain() throws {
        let stack = try stack()
        try stack.execute("CREATE INDEX Z_Item_bygroup ON ZITEM (ZTITLE)")
        let (_, helpful) = try explain(stack, NSPredicate(format: "group == 3"), [index("Item", "group")])
        #expect(helpful.isEmpty)
    }

    @Test func suggestedStatementIsTheOneThatCoreDataUses() throws {
        let stack = try stack()
        let (_, helpful) = try explain(stack, NSPredicate(format: "group == 3"), [index("Item", "group", "title")])
        let sql = try #require(helpful.first).sql
        let model = try #require(stack.model.copy() as? NSManagedObjectModel)
        let entity = try #require(model.entitiesByName["Item"])
        entity.indexes = [
            NSFetchIndexDescription(
                name: "bygrouptitle",
                elements: ["group", "title"].compactMap { entity.propertiesByName[$0] }.map {
                    NSFetchIndexElementDescription(property: $0, collationType: .binary)
                })
        ]
        let made = try Stack(model)
        #expect(try made.rows("SELECT sql FROM sqlite_master WHERE sql = ?", [.text(sql)]).count == 1)
    }

    @Test func predicateWithoutSQLIsRefused() throws {
        let stack = try stack()
        expectError(134060) { try explain(stack, NSPredicate(format: "nothing == 3")) }
    }
}
