import CoreData
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres
@testable import CoreDataSQL

/// Stores whose indexes are over the columns themselves, as an earlier version has made them.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(10)))
struct LongValueUpgradeTests {
    private let scene: LongValueScene

    init() throws {
        scene = try LongValueScene()
        let stack = try scene.open()
        try scene.fill(2_500)
        try stack.coordinator.remove(stack.store)
        try scene.makeOld()
        try scene.server.execute("ANALYZE \(scene.name).zpage")
    }

    private let text = "Page 4a64d913220fca4c33c140c6952688a8"

    private func indexesOverExpressions() throws -> [String] {
        try scene.ask(
            "SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid "
                + "WHERE x.indrelid = '\(scene.name).zpage'::regclass AND x.indexprs IS NOT NULL ORDER BY 1")
    }

    private static let overExpressions = [
        "z_page_byboth", "z_page_bydata", "z_page_bymany", "z_page_bytext", "z_page_data", "z_page_text",
        "z_page_unique_code", "z_page_unique_left_right_number", "zpage_zfirst_folded",
        "zpage_ztext_folded",
    ]

    private func saveLong(_ stack: Stack) throws {
        var random = SeededRandom(seed: 5)
        let long = LongValueScene.text(3_000, &random)
        stack.context.insert("Page", ["text": long, "code": long])
        try stack.context.save()
        #expect(try scene.explain(stack, "text == %@", [long]).outcome == .init(answered: 1, evaluated: 0))
    }

    @Test(
        "a store of an earlier version is read by its indexes, and gets others from who opens it for writing (HAZ-61)")
    func storeOfEarlierVersionIsReadByItsIndexes() throws {
        let reader = try scene.open([NSReadOnlyPersistentStoreOption: true])
        for (format, index) in [("text == '\(text)'", "z_page_"), ("code == 'x'", "z_page_unique_code")] {
            let found = try scene.explain(reader, format)
            #expect(found.questions.last?.query.sql.contains("left(") == false)
            #expect(found.questions.last?.plan.indexes.first?.hasPrefix(index) == true)
        }
        #expect(try indexesOverExpressions() == [])
        try reader.coordinator.remove(reader.store)
        let writer = try scene.open()
        #expect(try indexesOverExpressions() == Self.overExpressions)
        try saveLong(writer)
        try writer.coordinator.remove(writer.store)
    }

    @Test("where a table is large the error of a save says what to do, and explain with which statements (HAZ-61)")
    func whereTableIsLargeErrorOfSaveSays() throws {
        try scene.server.execute(
            "ALTER TABLE \(scene.name).zpage ALTER COLUMN znotes SET STORAGE PLAIN; "
                + "UPDATE \(scene.name).zpage SET znotes = repeat('x', 7000)")
        let stack = try scene.open()
        #expect(try indexesOverExpressions() == [])
        let error = #expect(throws: NSError.self) { try saveLong(stack) }
        #expect(error?.userInfo["SQLSTATE"] as? String == "54000")
        #expect(error?.localizedRecoverySuggestion?.contains("coredata explain") == true)
        stack.context.rollback()
        for format in [
            "text == '\(text)'", "code == 'x'", "first == 'x'", "data == %@", "text ==[c] 'x'", "first ==[c] 'x'",
        ] {
            for statement in try scene.explain(stack, format, format.contains("%") ? [Data([1])] : []).missingIndexes {
                try scene.server.execute(statement)
            }
        }
        try stack.coordinator.remove(stack.store)
        let again = try scene.open()
        #expect(try indexesOverExpressions() == Self.overExpressions.filter { !$0.hasSuffix("left_right_number") })
        try saveLong(again)
        #expect(try scene.explain(again, "text == '\(text)'").missingIndexes.isEmpty)
        try again.coordinator.remove(again.store)
    }
}
