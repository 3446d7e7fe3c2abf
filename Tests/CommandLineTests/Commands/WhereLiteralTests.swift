import CoreData
import Testing

/// What `--where` makes of literals: they are read by the type of the attribute.
@Suite struct WhereLiteralTests {
    private func count(_ library: Library, _ entity: String, _ condition: String) throws -> Int {
        let outcome = try Tool.run(
            ["fetch", library.store.path, entity, "--format", "json", "--where", condition] + library.model)
        #expect(outcome.code == 0 && outcome.errors == "", "\(condition): \(outcome.errors)")
        let objects: [[String: Any]] = try outcome.json()
        return objects.count
    }

    @Test("dates as the tool prints them, days alone and seconds; truth values, UUIDs, links and numbers as texts")
    func literalsAreReadByType() throws {
        let library = try Library()
        defer { library.remove() }
        for (condition, expected) in [
            ("born > '2000-12-31'", 1), ("born > '2023-01-01'", 0), ("born == '2001-01-01T00:00:00.250Z'", 1),
            ("born > 0", 1), ("born < 0", 0), ("born BETWEEN {'2001-01-01', '2001-01-02'}", 1),
            ("'2023-01-01' > born", 1),
            ("born IN {'2001-01-01T00:00:00.250Z'}", 1), ("ANY books.author.born < '2002-01-01'", 1),
            ("name != '2001-01-01'", 1),
        ] { #expect(try count(library, "Author", condition) == expected, "\(condition)") }
        for (condition, expected) in [
            ("isRead == 'YES'", 1), ("isRead == 'true'", 1), ("isRead == 'NO'", 0), ("pages > '150'", 2),
            ("pages < '100.5'", 1),
            ("isbn == '123e4567-e89b-12d3-a456-426614174000'", 1), ("link == 'https://example.org/1'", 1),
            ("cover == 'AQID'", 1), ("price == '12.50'", 1), ("author == 'Author/p1'", 2), ("author != 'Author/p1'", 2),
            ("author == 'x-coredata://\(library.uuid)/Author/p1'", 2), ("self IN {'Book/p1', 'Novel/p4'}", 2),
            ("SELF == 'Book/p2'", 1), ("author.born > '2000-01-01'", 2),
            ("SUBQUERY(author.books, $b, $b == 'Book/p1').@count > 0", 2),
        ] { #expect(try count(library, "Book", condition) == expected, "\(condition)") }
    }

    @Test("a text that is not a value of the type is an error that names the attribute and what is expected")
    func wrongLiteralsAreErrors() throws {
        let library = try Library()
        defer { library.remove() }
        for (entity, condition, hint) in [
            ("Author", "born > 'soon'", "a date such as"), ("Book", "isRead == 'maybe'", "YES or NO"),
            ("Book", "isbn == 'x'", "a UUID such as"), ("Book", "pages == 'many'", "a whole number"),
            ("Book", "author == 'Ann'", "Entity/p1"),
            ("Book", "author == 'x-coredata://OTHER/Author/p1'", "this store is"),
        ] {
            let outcome = try Tool.run(["fetch", library.store.path, entity, "--where", condition] + library.model)
            #expect(outcome.code != 0 && outcome.output == "", "\(condition)")
            #expect(outcome.errors.contains(hint), "\(condition): \(outcome.errors)")
        }
    }

    @Test("explain and standard error report a comparison that is never true")
    func impossibleComparisonsAreReported() throws {
        let library = try Library()
        defer { library.remove() }
        let explained = try Tool.run(
            ["explain", library.store.path, "Author", "--where", "born == name"] + library.model)
        let note = "Author.born ==: a date is never equal to a text"
        #expect(explained.output.contains("Notes\n  \(note)"), "\(explained.output)")
        let json = try Tool.run(
            ["explain", library.store.path, "Author", "--format", "json", "--where", "born == name"] + library.model)
        let object: [String: Any] = try json.json()
        #expect(object["notes"] as? [String] == [note])
        let fetched = try Tool.run(
            ["fetch", library.store.path, "Author", "--format", "json", "--where", "born == name"] + library.model)
        #expect(fetched.errors == "CoreData: warning: \(note)\n")
    }

    @Test("delete selects by typed literals too")
    func deletionReadsLiterals() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try Tool.run(
            ["delete", library.store.path, "Book", "--where", "isRead == 'YES'", "--dry-run", "--format", "json"]
                + library.model)
        let report: [String: Any] = try outcome.json()
        #expect(report["deleted"] as? Int == 1, "\(outcome.output)\(outcome.errors)")
    }

    @Test("a regular expression that needs too many steps is named as the fault, and not the file")
    func expensivePattern() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(
            library.store, "UPDATE ZBOOK SET ZTITLE = '\(String(repeating: "a", count: 200))!' WHERE Z_PK = 1")
        let outcome = try Tool.run(
            ["fetch", library.store.path, "Book", "--where", "title MATCHES '(a+)+b'"] + library.model)
        expectRefusal(outcome, containing: "too many steps", "no repetition is within another")
        #expect(!outcome.errors.contains("integrity_check"))
    }
}
