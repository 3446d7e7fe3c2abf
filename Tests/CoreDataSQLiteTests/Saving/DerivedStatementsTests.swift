import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

@Suite("the statements that compute derived attributes (MOD-42)")
struct DerivedStatementsTests {
    private let stack: Stack
    private let books: [NSManagedObject]
    private let pages: [NSManagedObject]
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        let builder = ModelBuilder()
        builder.entity("Author", ["name": .stringAttributeType, "age": .integer16AttributeType])
        builder.entity("Book", ["title": .stringAttributeType, "price": .doubleAttributeType])
        builder.entity("Page", ["length": .integer64AttributeType, "text": .stringAttributeType])
        builder.relationships("Author.books*", "Book.author")
        builder.relationships("Book.pages*", "Page.book")
        builder.derived("Book.plain", .stringAttributeType, "canonical:(title)")
        builder.derived("Book.total", .integer64AttributeType, "pages.@sum.length")
        builder.derived("Book.pageCount", .integer64AttributeType, "pages.@count")
        builder.derived("Page.writer", .stringAttributeType, "book.author.name")
        let stack = try Stack(builder.model)
        self.stack = stack
        let author = stack.context.insert("Author", ["name": "Ann", "age": 50])
        let books = ["É", "B"].map { stack.context.insert("Book", ["title": $0, "author": author]) }
        self.books = books
        pages = (1...50).map { stack.context.insert("Page", ["length": $0, "book": books[0]]) }
        try stack.context.save()
    }

    private func saved() throws -> [String] { try stack.statements { try context.save() } }

    private static let keys = "(SELECT value FROM json_each(?))"
    private static let owners = "SELECT ZBOOK FROM ZPAGE WHERE Z_PK IN (SELECT value FROM json_each(?1))"

    private static func computing(_ value: String, _ column: String, _ table: String, joins: String = "") -> String {
        "WITH n(k, v) AS MATERIALIZED (SELECT t0.Z_PK, \(value) FROM \(table) t0\(joins) WHERE t0.Z_PK IN \(keys)) "
            + "UPDATE \(table) SET \(column) = n.v FROM n WHERE \(table).Z_PK = n.k AND \(table).\(column) IS NOT n.v "
            + "RETURNING Z_PK, Z_ENT, \(column)"
    }

    private static let plain = computing(
        "coredata_derived(0, coredata_canonical(t0.ZTITLE))", "ZPLAIN", "ZBOOK")
    private static let total = computing(
        "coredata_derived(1, (SELECT coredata_whole_sum(SUM(t1.ZLENGTH >> 32), SUM(t1.ZLENGTH & 4294967295)) "
            + "FROM ZPAGE t1 WHERE t1.ZBOOK = t0.Z_PK))", "ZTOTAL", "ZBOOK")
    private static let writer = computing(
        "coredata_derived(2, t2.ZNAME)", "ZWRITER", "ZPAGE",
        joins: " LEFT JOIN ZBOOK t1 ON t1.Z_PK = t0.ZBOOK LEFT JOIN ZAUTHOR t2 ON t2.Z_PK = t1.ZAUTHOR")

    private func derivations(_ statements: [String]) -> [String] { statements.filter { $0.contains("json_each") } }

    @Test func insertedRowIsComputedOnceItIsWritten() throws {
        context.insert("Book", ["title": "C"])
        let texts = try saved()
        #expect(Set(derivations(texts)) == [Self.plain, Self.total])
        #expect(derivations(texts).count == 2)
        let insertion = try #require(texts.firstIndex { $0.hasPrefix("INSERT INTO ZBOOK") })
        #expect(try #require(texts.firstIndex(of: Self.plain)) > insertion)
        #expect(texts.last == "COMMIT")
    }

    @Test func manyMembersTakeAsManyStatementsAsOne() throws {
        pages[0].setValue(7, forKey: "length")
        let one = derivations(try saved())
        #expect(one.filter { $0 == Self.owners }.count == 2)
        #expect(Set(one) == [Self.owners, Self.total, Self.writer])
        for page in pages { page.setValue(9, forKey: "length") }
        #expect(derivations(try saved()) == one)
        #expect(try stack.rows("SELECT ZTOTAL FROM ZBOOK ORDER BY Z_PK") == [[450], [0]])
    }

    @Test func changesThatNoDerivationNeedsFindNoOwners() throws {
        pages[0].setValue("text", forKey: "text")
        #expect(derivations(try saved()) == [Self.writer])
        for author in try context.all("Author") { author.setValue(51, forKey: "age") }
        #expect(derivations(try saved()) == [])
    }

    @Test func pathsAreFollowedBackFromEachStep() throws {
        for author in try context.all("Author") { author.setValue("Bob", forKey: "name") }
        let texts = derivations(try saved())
        let referrers =
            "SELECT Z_PK FROM ZPAGE WHERE ZBOOK IN (SELECT Z_PK FROM ZBOOK WHERE ZAUTHOR IN "
            + "(SELECT value FROM json_each(?1)))"
        #expect(texts == [referrers, referrers, Self.writer])
        #expect(try stack.integer("SELECT count(*) FROM ZPAGE WHERE ZWRITER = 'Bob'") == 50)
    }

    @Test func derivedValuesDoNotRaiseTheVersion() throws {
        pages[0].setValue(1_000, forKey: "length")
        try context.save()
        #expect(try stack.rows("SELECT Z_OPT, ZTOTAL, ZPAGECOUNT FROM ZBOOK WHERE Z_PK = 1").map { $0[0] } == [1])
        books[0].setValue("F", forKey: "title")
        try context.save()
        #expect(try stack.rows("SELECT Z_OPT, ZPLAIN FROM ZBOOK WHERE ZTITLE = 'F'") == [[2, "f"]])
    }

    @Test func sumsOfAnySizeDoNotStopTheSave() throws {
        pages[0].setValue(Int64.max, forKey: "length")
        pages[1].setValue(Int64.max, forKey: "length")
        try context.save()
        #expect(books[0].value(forKey: "total") == nil)
        pages[1].setValue(-Int64.max, forKey: "length")
        try context.save()
        #expect(books[0].value(forKey: "total") as? Int == (3...50).reduce(0, +))
    }

    @Test("reading what was saved asks nothing, whether a trigger or the save has derived it")
    func savedObjectsAreNotReadAgain() throws {
        let owner = stack.context.insert("Book", ["title": "Ü"])
        let added = (1...300).map { stack.context.insert("Page", ["length": $0, "book": owner]) }
        for page in pages { page.setValue(3, forKey: "length") }
        try context.save()
        let texts = stack.statements {
            #expect(owner.value(forKey: "plain") as? String == "u")
            #expect(owner.value(forKey: "pageCount") as? Int == 300)
            #expect(books[0].value(forKey: "total") as? Int == 150)
            #expect(books[0].value(forKey: "pageCount") as? Int == 50)
            for page in added + pages { _ = (page.value(forKey: "length"), page.value(forKey: "writer")) }
        }
        #expect(texts == [])
    }

    @Test("a refused save leaves the derived values as they were")
    func refusedSave() throws {
        let other = try stack.another()
        let same = try #require(try other.context.all("Page", NSPredicate(format: "length == 1")).first)
        same.setValue(2, forKey: "length")
        pages[0].setValue(500, forKey: "length")
        try context.save()
        let before = try stack.rows("SELECT * FROM ZBOOK")
        #expect(code { try other.context.save() } == NSManagedObjectMergeError)
        #expect(try stack.rows("SELECT * FROM ZBOOK") == before)
    }

    @Test("a store without its triggers has the count computed by the save")
    func missingTriggers() throws {
        #expect(stack.file.derivedColumns?.derivations.map(\.attribute.name) == ["plain", "total", "writer"])
        for row in try stack.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
            try stack.execute("DROP TRIGGER \(row[0].text ?? "")")
        }
        let again = try stack.reopened()
        #expect(again.file.derivedColumns?.derivations.map(\.attribute.name).contains("pageCount") == true)
        let book = try #require(try again.context.all("Book", NSPredicate(format: "plain == 'e'")).first)
        again.context.insert("Page", ["book": book])
        try again.context.save()
        #expect(book.value(forKey: "pageCount") as? Int == 51)
        #expect(try again.rows("SELECT ZPAGECOUNT FROM ZBOOK ORDER BY Z_PK").count == 2)
    }

    @Test("a model without such attributes has nothing to compute")
    func nothingToCompute() throws {
        let builder = ModelBuilder()
        builder.entity("Owner")
        builder.entity("Child")
        builder.relationships("Owner.children*", "Child.owner")
        builder.derived("Owner.count", .integer64AttributeType, "children.@count")
        #expect(try Stack(builder.model).file.derivedColumns == nil)
    }

    @Test("a trigger for a derivation that has none in Apple's stores makes the store read-only")
    func foreignTrigger() throws {
        try stack.execute(
            "CREATE TRIGGER Z_DA_ZBOOK_Book_plain_UPDATE AFTER UPDATE OF ZTITLE ON ZBOOK FOR EACH ROW BEGIN "
                + "UPDATE ZBOOK SET ZPLAIN = lower(NEW.ZTITLE) WHERE Z_PK = NEW.Z_PK; END")
        #expect(try stack.reopened().store.isReadOnly)
    }
}
