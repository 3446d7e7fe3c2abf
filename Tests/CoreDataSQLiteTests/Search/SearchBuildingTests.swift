import CoreData
import SQLiteKit
import TestBasics
import Testing

@testable import CoreDataSQLite

/// The index of a large store is made beside what the program does.
@Suite struct SearchBuildingTests {
    private let predicate = NSPredicate(format: "title CONTAINS[cd] 'needle'")

    /// A store with many notes and no index, closed.
    private func scene(_ count: Int = 6_000) throws -> SearchScene {
        let scene = try SearchScene()
        scene.note("first")
        try scene.context.save()
        try scene.close()
        try scene.raw(
            "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO ZNOTE(Z_PK, Z_ENT, "
                + "Z_OPT, ZTITLE, ZBODY) SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'), 1, "
                + "CASE WHEN i % 1000 = 0 THEN 'a needle ' ELSE 'hay ' END || i, 'body ' || i FROM n",
            [.integer(Int64(count))])
        try scene.raw("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'Note'", [.integer(Int64(count))])
        for file in SearchLayout.files(ofStore: scene.url.path) { try? FileManager.default.removeItem(atPath: file) }
        return scene
    }

    private func isServed(_ scene: SearchScene) -> Bool {
        eventually("the index") { (try? scene.usesIndex(predicate)) ?? false }
    }

    @Test func answersAreRightFromTheFirstFetchOn() throws {
        let scene = try scene()
        try scene.reopen()
        let first = try scene.keys(predicate.formatString)
        #expect(first == [1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
        #expect(isServed(scene))
        let served = try scene.keys(predicate.formatString)
        #expect(served == first)
        #expect(try scene.entries() == 6_000)
    }

    @Test func savesGoOnWhileTheIndexIsMade() throws {
        let scene = try scene()
        try scene.reopen()
        var rounds: Int64 = 0
        // The first save comes while it is made, the last one after it.
        repeat {
            scene.note("needle \(rounds)")
            try scene.context.save()
            rounds += 1
            let found = try scene.keys(predicate.formatString)
            #expect(found == [1_000, 2_000, 3_000, 4_000, 5_000, 6_000] + (0..<rounds).map { 6_001 + $0 })
        } while try rounds < 3_000 && !scene.usesIndex(predicate)
        #expect(rounds < 3_000)
        #expect(isServed(scene))
        #expect(try scene.entries() == 6_000 + rounds)
    }

    @Test func othersMayWriteWhileTheIndexIsMade() throws {
        let scene = try scene()
        try scene.reopen()
        try scene.raw("UPDATE ZNOTE SET ZTITLE = 'other' WHERE Z_PK = 2000")
        let wanted: [Int64] = [1_000, 3_000, 4_000, 5_000, 6_000]
        #expect(try scene.keys(predicate.formatString) == wanted)
        scene.note("hay")
        try scene.context.save()
        // After a foreign commit the index is compared at the next save.
        let isServed = eventually("the index") {
            scene.note("hay")
            try? scene.context.save()
            return (try? scene.usesIndex(predicate)) ?? false
        }
        #expect(isServed)
        #expect(try scene.keys(predicate.formatString) == wanted)
    }

    @Test func closedMeanwhileItIsCompletedLater() throws {
        let scene = try scene()
        for _ in 0..<3 {
            try scene.reopen()
            try scene.close()
        }
        try scene.reopen()
        #expect(isServed(scene))
        #expect(try scene.keys(predicate.formatString).count == 6)
    }
}
