import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite(
    "Derived columns of stores made by Apple's framework",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct DerivedColumnTests {
    @Test(
        "counts follow pages that come, move and go, with the file's triggers and without (MOD-42)",
        arguments: ["SampleModel2_V1.sqlite", "SampleModel2_V2.sqlite"], [true, false])
    func countsFollow(_ name: String, keepsTriggers: Bool) throws {
        Filling.registerTransformers()
        let fixture = try FixtureStore.named(name)
        let url = try fixture.copy()
        if !keepsTriggers { try Self.dropTriggers(url) }
        let open = try OpenStore(url, model: fixture.model(at: url), FixtureStore.optionsForWriting(url))
        #expect(!open.store.isReadOnly)
        let books = try open.fetch("Book")
        try #require(books.count > 1)
        for number in 0..<4 {
            let page = NSEntityDescription.insertNewObject(forEntityName: "Page", into: open.context)
            Filling.fill(page, seed: number)
            page.setValue(books[number % 2], forKey: "book")
        }
        try expectSaved(open)
        let moved = try #require(books[0].members("pages").first)
        moved.setValue(books[1], forKey: "book")
        try expectSaved(open)
        open.context.delete(try #require(books[1].members("pages").first))
        try expectSaved(open)
    }

    /// All counts in the file and in the context are right, and the file is sound.
    private func expectSaved(_ open: OpenStore) throws {
        try open.context.save()
        let raw = try RawStore(open.url, open.model)
        let wrong =
            "SELECT count(*) FROM ZBOOK b WHERE ZPAGESCOUNT <> (SELECT count(*) FROM ZPAGE WHERE ZBOOK = b.Z_PK)"
        #expect(try raw.integers(wrong) == [0])
        #expect(try raw.connection.integrityFaults() == [])
        for book in try open.fetch("Book") {
            #expect((book.value(forKey: "pagesCount") as? NSNumber)?.intValue == book.members("pages").count)
        }
        raw.connection.close()
    }

    private static func dropTriggers(_ url: URL) throws {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        for row in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
            try connection.execute("DROP TRIGGER \(row[0].text ?? "")")
        }
    }
}
