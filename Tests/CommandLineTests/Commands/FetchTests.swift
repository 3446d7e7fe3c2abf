import CoreData
import Testing

@Suite struct FetchTests {
    private func fetch(_ library: Library, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["fetch", library.store.path] + arguments + library.model)
    }

    private func titles(_ library: Library, _ arguments: String...) throws -> [String] {
        let outcome = try Tool.run(
            ["fetch", library.store.path, "Book", "--format", "json", "--keys", "title"] + arguments + library.model)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let objects: [[String: Any]] = try outcome.json()
        return objects.compactMap { ($0["attributes"] as? [String: Any])?["title"] as? String }
    }

    @Test func jsonHasEveryTypeInItsDocumentedForm() throws {
        let library = try Library()
        defer { library.remove() }
        let objects: [[String: Any]] = try fetch(library, "Book", "--sort", "title", "--format", "json").json()
        #expect(objects.count == 4)
        let book = try #require(objects.first)
        #expect(Set(book.keys) == ["objectID", "entity", "attributes", "relationships"])
        #expect(book["objectID"] as? String == "x-coredata://\(library.uuid)/Book/p1")
        #expect(book["entity"] as? String == "Book")
        let values = try #require(book["attributes"] as? [String: Any])
        #expect(values["title"] as? String == "Book 1")
        #expect(values["pages"] as? Int == 100)
        #expect(values["price"] as? String == "12.5")
        #expect(values["isbn"] as? String == "123E4567-E89B-12D3-A456-426614174000")
        #expect(values["link"] as? String == "https://example.org/1")
        #expect(values["cover"] as? String == "AQID")
        #expect(values["isRead"] as? Bool == true)
        #expect(values["rating"] as? Double == 0.1)
        #expect(values["number"] as? Int64 == .max)
        #expect((values["tags"] as? [Any])?.count == 2)
        let author = "x-coredata://\(library.uuid)/Author/p1"
        #expect((book["relationships"] as? [String: Any])?["author"] as? String == author)
        let last = try #require(objects.first { $0["entity"] as? String == "Novel" })
        #expect((last["attributes"] as? [String: Any])?.keys.contains("genre") == true)
        #expect((last["relationships"] as? [String: Any])?["author"] is NSNull)
    }

    @Test func toManyRelationshipIsAListOfURIsAndDatesHaveFractions() throws {
        let library = try Library()
        defer { library.remove() }
        let objects: [[String: Any]] = try fetch(library, "Author", "--format", "json").json()
        let books = (objects.first?["relationships"] as? [String: Any])?["books"] as? [String]
        #expect(books == ["x-coredata://\(library.uuid)/Book/p1", "x-coredata://\(library.uuid)/Book/p2"])
        #expect((objects.first?["attributes"] as? [String: Any])?["born"] as? String == "2001-01-01T00:00:00.250Z")
    }

    @Test func sameQuestionGivesTheSameBytes() throws {
        let library = try Library()
        defer { library.remove() }
        let first = try fetch(library, "Book", "--sort", "title", "--format", "json")
        let second = try fetch(library, "Book", "--sort", "title", "--format", "json")
        #expect(first.output == second.output)
    }

    @Test func conditionOrderLimitAndOffsetAreHeeded() throws {
        let library = try Library()
        defer { library.remove() }
        #expect(try titles(library, "--where", "pages > 100", "--sort", "-pages") == ["Book 3", "Book 2"])
        #expect(
            try titles(library, "--where", "author.name BEGINSWITH[c] 'ann'", "--sort", "title") == [
                "Book 1", "Book 2",
            ])
        #expect(
            try titles(library, "--where", "title LIKE 'Book*'", "--sort", "title", "--limit", "1", "--offset", "1")
                == ["Book 2"])
        #expect(try titles(library, "--where", "pages > 1000") == [])
        #expect(try titles(library, "--sort", "-title", "--limit", "2").count == 2)
    }

    @Test("values in a predicate are not SQL (HAZ-52)")
    func quotesInAPredicateAreText() throws {
        let library = try Library()
        defer { library.remove() }
        #expect(try titles(library, "--where", "title == \"' OR 1=1 --\"") == [])
        #expect(try titles(library, "--where", "title == 'x\"; DROP TABLE ZBOOK; --'") == [])
        #expect(try titles(library).count == 4)
    }

    @Test func keysFollowToOnePathsAndCounts() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try fetch(
            library, "Book", "--keys", "title,author.name,author.books.@count", "--sort", "pages", "--where",
            "pages > 0",
            "--format", "csv")
        #expect(
            outcome.output.split(separator: "\r\n") == [
                "title,author.name,author.books.@count", "Book 1,Ann Able,2", "Book 2,Ann Able,2", "Book 3,,",
            ])
        let objects: [[String: Any]] = try fetch(
            library, "Book", "--keys", "author.name,author", "--where", "pages == 100", "--format", "json"
        ).json()
        #expect(objects.first?["attributes"] as? [String: String] == ["author.name": "Ann Able"])
        #expect((objects.first?["relationships"] as? [String: String])?.keys.sorted() == ["author"])
    }

    @Test func csvKeepsTextsAsTheyAre() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try fetch(library, "Novel", "--keys", "title,genre,cover", "--format", "csv")
        #expect(
            outcome.output
                == "title,genre,cover\r\nTab\tand \u{1B}[31mred \u{202E}turned,\"Fantasy, \"\"dark\"\"\",\r\n")
    }

    @Test func emptyResultIsStillAnswered() throws {
        let library = try Library()
        defer { library.remove() }
        #expect(try fetch(library, "Book", "--where", "FALSEPREDICATE", "--format", "json").output == "[]\n")
        #expect(try fetch(library, "Novel", "--where", "FALSEPREDICATE", "--keys", "title").output == "title\n-----\n")
    }

    @Test func readingChangesNothing() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        for arguments in [
            ["inspect", library.store.path], ["fetch", library.store.path, "Book", "--format", "json"],
            ["fetch", library.store.path, "Book", "--sort", "title"], ["get", library.store.path, "Book/p1"],
        ] {
            #expect(try Tool.run(arguments + library.model).code == 0)
            #expect(try FolderState(around: library.store) == before, "\(arguments)")
        }
    }

    @Test("unknown names come with the nearest one (HAZ-54)")
    func unknownNamesAreRefused() throws {
        let library = try Library()
        defer { library.remove() }
        expectRefusal(try fetch(library, "Bok"), containing: "Bok: the model has no such entity (did you mean 'Book'?)")
        expectRefusal(try fetch(library, "Book", "--keys", "titel"), containing: "did you mean 'title'?")
        expectRefusal(try fetch(library, "Book", "--sort", "-pagez"), containing: "did you mean 'pages'?")
        expectRefusal(try fetch(library, "Book", "--where", "author.nme == 'x'"), containing: "did you mean 'name'?")
        expectRefusal(try fetch(library, "Book", "--sort", "tags"), containing: "cannot be sorted by")
    }

    @Test("a predicate that does not parse is shown with a caret (HAZ-51)")
    func predicateThatDoesNotParsePointsAtTheCharacter() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try fetch(library, "Book", "--where", "pages > > 3")
        #expect(outcome.code == 1)
        #expect(outcome.output == "")
        #expect(outcome.errorLines.count == 3)
        #expect(
            outcome.errorLines.first?.hasPrefix("coredata: predicate: at character 9: found") == true,
            "\(outcome.errors)")
        #expect(outcome.errorLines.dropFirst() == ["  pages > > 3", "          ^"])
    }

    @Test(
        "hostile predicates are refused (HAZ-51)",
        arguments: [
            String(repeating: "(", count: 100_000), "FUNCTION(title, 'uppercase')",
            "CAST(title, 'NSFileManager') != nil",
            "title MATCHES '('", "title == %@", "title == $x", "pages >", "\u{0}", "",
        ])
    func hostilePredicatesAreRefused(text: String) throws {
        let library = try Library()
        defer { library.remove() }
        guard !text.contains("\u{0}") else { return }
        let outcome = try fetch(library, "Book", "--where", text)
        #expect(outcome.code == 1, "\(outcome.output)")
        #expect(!outcome.wasKilled)
        #expect(outcome.errors.hasPrefix("coredata: "))
        #expect(outcome.errorLines.count <= 3)
    }

    @Test("a row with a value of the wrong storage type is still shown (HAZ-24)")
    func rowWithAnUnreadableValueIsStillShown() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(library.store, "UPDATE ZBOOK SET ZISBN = 'no uuid', ZPAGES = x'00' WHERE Z_PK = 1")
        let outcome = try fetch(library, "Book", "--format", "json", "--sort", "title")
        #expect(outcome.code == 0)
        let objects: [[String: Any]] = try outcome.json()
        #expect(objects.count == 4)
        let values = try #require(objects.first?["attributes"] as? [String: Any])
        #expect(values["isbn"] is NSNull)
        #expect(values["pages"] is NSNull)
        #expect(values["title"] as? String == "Book 1")
        #expect(outcome.errorLines.count == 2)
        #expect(outcome.errors.contains("warning: Book/p1 isbn: The stored value of 'isbn' of entity 'Book' is a text"))
        #expect(try fetch(library, "Book", "--keys", "isbn").output.contains("(unreadable)"))
    }

    @Test func manyObjectsComeInPagesAndInOrder() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(
            library.store,
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5009) "
                + "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES) SELECT i, 2, 1, 'T' || i, i FROM n")
        let outcome = try fetch(
            library, "Book", "--where", "title BEGINSWITH 'T'", "--sort", "-pages", "--keys", "pages", "--format", "csv"
        )
        let pages = outcome.output.split(separator: "\r\n").dropFirst().compactMap { Int($0) }
        #expect(pages == Array((10...5009).reversed()))
    }
}
