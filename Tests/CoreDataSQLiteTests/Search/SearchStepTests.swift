import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// When the index is in step with the store, and how it gets there.
@Suite struct SearchStepTests {
    private func filled(_ count: Int = 20) throws -> SearchScene {
        let scene = try SearchScene()
        for number in 0..<count { scene.note("Title \(number) abc", "Body \(number)") }
        try scene.context.save()
        return scene
    }

    @Test func savedTextsAreFoundByTheIndex() throws {
        let scene = try filled()
        #expect(try scene.usesIndex())
        #expect(try scene.keys("title CONTAINS 'Title 7'") == [8])
        #expect(try scene.entries() == 20)
    }

    @Test("saves that count together are in the index together, and not at all where they do not count (TOOL-17)")
    func groupedSavesAreFoundByTheIndex() throws {
        struct Stopped: Error {}
        let scene = try filled(3)
        let grouping = try #require(scene.stack.store.objects?.saveGrouping)
        func together(_ body: () throws -> Void) throws {
            try scene.stack.store.serialized { try grouping.savingTogether(body) }
        }
        try together {
            for number in 0..<2 {
                scene.note("Grouped \(number)", nil)
                try scene.context.save()
            }
        }
        let grouped = try scene.keys("title CONTAINS 'Grouped'")
        #expect(grouped == [4, 5])
        #expect(throws: Stopped.self) {
            try together {
                scene.note("Dropped", nil)
                try scene.context.save()
                throw Stopped()
            }
        }
        scene.context.reset()
        let dropped = try scene.keys("title CONTAINS 'Dropped'")
        #expect(dropped.isEmpty)
        #expect(try scene.usesIndex())
        #expect(try scene.entries() == 5)
    }

    @Test(arguments: [
        "title CONTAINS 'abc'", "title CONTAINS[c] 'ABC'", "title CONTAINS[d] 'ábc'", "body BEGINSWITH 'Bod'",
        "title ENDSWITH[c] 'ABC'", "title LIKE 'T*abc'", "title CONTAINS 'abc' OR body CONTAINS 'Body'",
        "folder.name == 'x' OR title CONTAINS 'abc'", "NOT title CONTAINS 'abc'",
    ])
    func indexServes(_ format: String) throws {
        let scene = try filled(2)
        #expect(try scene.usesIndex(NSPredicate(parsing: format, arguments: [])))
    }

    @Test(arguments: [
        "title CONTAINS 'ab'", "title LIKE 'a*bc?d'", "plain CONTAINS 'abc'", "title MATCHES '.*abc.*'",
        "title == 'abc'",
        "title CONTAINS[cd] 'a\u{301}b'",
    ])
    func indexDoesNotServe(_ format: String) throws {
        let scene = try filled(2)
        #expect(try !scene.usesIndex(NSPredicate(parsing: format, arguments: [])))
    }

    @Test func textsOfMembersAreFoundByTheIndex() throws {
        let scene = try filled(4)
        let folder = scene.context.insert("Folder", ["name": "f"])
        scene.note("in the folder", nil).setValue(folder, forKey: "folder")
        try scene.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Folder")
        request.predicate = NSPredicate(format: "ANY notes.title CONTAINS[cd] 'FOLDER'")
        var count = 0
        let statements = try scene.stack.statements { count = try scene.context.fetch(request).count }
        #expect(count == 1)
        #expect(statements.contains { $0.contains("search.trigrams") && $0.contains("ZFOLDER") })
    }

    @Test func wordsAreFoundByTheIndex() throws {
        let scene = try filled()
        scene.note("Crème brûlée", "for two")
        scene.note("Cremeschnitte", "brulee")
        try scene.context.save()
        let predicate = NSPredicate.search("BRULEE, creme", in: ["title", "body"])
        #expect(try SearchScene.keys(scene.context, predicate) == [21])
        let statements = try scene.stack.statements { _ = try SearchScene.keys(scene.context, predicate) }
        #expect(statements.contains { $0.contains("search.words2") && $0.contains("search.words0") })
        #expect(try SearchScene.keys(scene.context, .search("  ,", in: ["title"])).isEmpty)
        #expect(try SearchScene.keys(scene.context, .search("7", in: ["title"]), limit: 1) == [8])
        #expect(try NSPredicate(parsing: predicate.formatString, arguments: []) == predicate)
    }

    @Test func explanationNamesTheIndex() throws {
        let scene = try filled()
        let store = try #require(scene.stack.store as? SQLiteStore)
        let layout = try #require(ModelLayout.of(scene.stack.model).layout(named: "Note"))
        let query = FetchQuery(
            binding: store.binding(for: layout), predicate: NSPredicate(format: "title CONTAINS[cd] 'title 7'"))
        let explanation = try store.withBackend {
            try $0.explain(query, candidates: [], greatestCopy: 0).explanation
        }
        #expect(explanation.sql.contains("search.trigrams2"))
        #expect(explanation.rowsReturned == 1)
        #expect(
            explanation.visits?.first { $0.table == "ZNOTE" }?.rows == 1, "\(String(describing: explanation.visits))")
    }

    @Test func closedStoreIsInStepWhenItIsOpened() throws {
        let scene = try filled()
        let before = try #require(try scene.entries())
        try scene.close()
        // Had the store been compared anew, the text that was taken out behind its back would be there again.
        try tamper(scene, "DELETE FROM text2 WHERE key = 1")
        try scene.reopen()
        #expect(try scene.usesIndex())
        #expect(try scene.entries() == before - 1)
    }

    @Test func storeThatOthersWroteIsComparedWhenItIsOpened() throws {
        let scene = try filled()
        try scene.close()
        try scene.raw("UPDATE ZNOTE SET ZTITLE = 'written by hand' WHERE Z_PK = 3")
        try scene.raw("DELETE FROM ZNOTE WHERE Z_PK = 4")
        try scene.reopen()
        #expect(try scene.keys("title CONTAINS[c] 'BY HAND'") == [3])
        #expect(try scene.entries() == 19)
        try scene.reopen()
        #expect(try scene.usesIndex())
    }

    @Test func indexIsNotUsedAfterACommitOfOthersUntilItIsInStep() throws {
        let scene = try filled()
        try scene.raw("UPDATE ZNOTE SET ZTITLE = 'written by hand' WHERE Z_PK = 3")
        #expect(try !scene.usesIndex())
        #expect(try scene.keys("title CONTAINS[c] 'BY HAND'") == [3])
        scene.note("one more")
        try scene.context.save()
        try scene.reopen()
        #expect(try scene.usesIndex())
        #expect(try scene.keys("title CONTAINS[c] 'BY HAND'") == [3])
    }

    @Test func secondCoordinatorKeepsTheIndexInStep() throws {
        let scene = try filled()
        let other = try scene.stack.another()
        other.context.insert("Note", ["title": "from the other"])
        try other.context.save()
        #expect(try scene.usesIndex())
        #expect(try scene.keys("title CONTAINS 'the other'") == [21])
        scene.note("and from this")
        try scene.context.save()
        #expect(try SearchScene.keys(other.context, NSPredicate(format: "title CONTAINS 'from this'")) == [22])
    }

    @Test func markedAttributesOfOldStoresAreIndexedWhenTheyAreOpened() throws {
        let scene = try filled()
        try scene.close()
        SearchLayout.removeFiles(ofStore: scene.url.path)
        try scene.reopen()
        #expect(try scene.usesIndex())
        #expect(try scene.entries() == 20)
    }

    @Test func storeThatIsOnlyReadUsesTheIndexThatIsThere() throws {
        let scene = try filled()
        try scene.reopen(options: [NSReadOnlyPersistentStoreOption: true])
        #expect(try scene.usesIndex())
        try scene.close()
        SearchLayout.removeFiles(ofStore: scene.url.path)
        try scene.reopen(options: [NSReadOnlyPersistentStoreOption: true])
        #expect(try !scene.usesIndex())
        #expect(!FileManager.default.fileExists(atPath: scene.sidePath))
    }

    @Test func storesWithoutMarksHaveNoFile() throws {
        let builder = ModelBuilder()
        builder.entity("Note", ["title": .stringAttributeType])
        let stack = try Stack(builder.model)
        #expect(!FileManager.default.fileExists(atPath: stack.url.path + "-search"))
    }

    @Test func rollbackJournalHasNoIndex() throws {
        let scene = try SearchScene(options: [NSSQLitePragmasOption: ["journal_mode": "delete"]])
        scene.note("Title abc")
        try scene.context.save()
        #expect(try !scene.usesIndex())
        #expect(try scene.keys("title CONTAINS 'abc'") == [1])
    }

    @Test func firstHitsAreFoundWithoutTheOthers() throws {
        let scene = try filled(400)
        let predicate = NSPredicate(format: "title CONTAINS[cd] 'title'")
        #expect(try scene.usesIndex(predicate, limit: 5))
        var sql = ""
        _ = try scene.stack.statements { _ = try SearchScene.keys(scene.context, predicate, limit: 5) }
            .map { if $0.contains("trigrams") { sql = $0 } }
        let plan = try scene.stack.file.connection.plan(of: sql).lines
        #expect(plan.allSatisfy { !$0.contains("TEMP B-TREE") && !$0.contains("LIST SUBQUERY") }, "\(plan)")
        #expect(plan.contains { $0.contains("SEARCH t0 USING INTEGER PRIMARY KEY") }, "\(plan)")
    }

    private func tamper(_ scene: SearchScene, _ sql: String) throws {
        let connection = try Connection.open(scene.sidePath)
        defer { connection.close() }
        try connection.execute(sql)
    }
}
