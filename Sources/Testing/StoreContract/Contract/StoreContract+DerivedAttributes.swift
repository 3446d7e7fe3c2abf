import CoreDataGraph
import Testing

extension StoreContract {
    static let derivedAttributes = [
        Clause(
            "MOD-42: a derived attribute that the store changes is read again", needs: .derivedAttributes, readAgain),
        Clause(
            "MOD-42: values made of members follow those that come, change, move and go", needs: .derivedAttributes,
            derivedFromMembers),
        Clause(
            "MOD-42: values made of many-to-many and inverse-less members follow their links",
            needs: .derivedAttributes, derivedFromLinks),
        Clause("MOD-42: texts follow their attribute, and become nil with it", needs: .derivedAttributes, derivedTexts),
        Clause(
            "MOD-42: values at the end of to-one paths follow each step of the path", needs: .derivedAttributes,
            derivedFromPaths),
        Clause(
            "MOD-42: the time is noted at the insertion and at each update", needs: .derivedAttributes, derivedTimes),
        Clause(
            "MOD-42: sub-entities inherit derived attributes, and declare their own", needs: .derivedAttributes,
            derivedInSubentities),
        Clause(
            "MOD-42: other contexts see a derived value when they refresh its object", needs: .derivedAttributes,
            derivedInOtherContexts),
        Clause(
            "MOD-42: objects are fetched and sorted by derived attributes", needs: .derivedAttributes, derivedInFetches),
        Clause(
            "MOD-42: a derived value that must be unique is refused the second time",
            needs: [.derivedAttributes, .uniqueValues], derivedUniqueness),
        Clause("MOD-42: a row that is a member of its own counts once", needs: .derivedAttributes, derivedFromItself),
        Clause("MOD-42: a value that its attribute cannot hold is nil", needs: .derivedAttributes, derivedOutOfRange),
    ]

    @Sendable private static func readAgain(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Author.bookCount", .integer64AttributeType, "books.@count")
        let stack = try store.open(builder.model)
        let author = stack.context.insert("Author")
        let book = stack.context.insert("Book", ["author": author])
        try stack.context.save()
        #expect(DerivedLibrary.integer(author, "bookCount") == 1)
        stack.context.insert("Book", ["author": author])
        try stack.context.save()
        #expect(DerivedLibrary.integer(author, "bookCount") == 2)
        book.setValue(nil, forKey: "author")
        try stack.context.save()
        #expect(DerivedLibrary.integer(author, "bookCount") == 1)
        #expect(throws: ValueRejection.self) { try author.setCodedValue(7, forKey: "bookCount") }
        author.setValue("n", forKey: "name")
        try stack.context.save()
        let again = try #require(try stack.reopened().context.all("Author").first)
        #expect(DerivedLibrary.integer(again, "bookCount") == 1)
    }

    @Sendable private static func derivedFromMembers(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.pageCount", .integer64AttributeType, "pages.@count")
        builder.derived("Book.total", .integer64AttributeType, "pages.@sum.length")
        builder.derived("Book.weight", .doubleAttributeType, "pages.weight.@sum")
        builder.derived("Book.longest", .integer32AttributeType, "pages.@max.length")
        builder.derived("Book.shortest", .integer32AttributeType, "pages.@min.length")
        builder.derived("Book.mean", .doubleAttributeType, "pages.@avg.length")
        let stack = try store.open(builder.model)
        let (first, second) = (stack.context.insert("Book"), stack.context.insert("Novel"))
        let pages = (1...4).map { stack.context.insert("Page", ["length": $0, "weight": 0.5, "book": first]) }
        try stack.context.save()
        try DerivedLibrary.expect(
            stack, object: first,
            expected: ["pageCount": 4, "total": 10, "weight": 2.0, "longest": 4, "shortest": 1, "mean": 2.5])
        try DerivedLibrary.expect(
            stack, object: second, expected: ["pageCount": 0, "total": 0, "weight": 0.0, "longest": nil, "mean": nil])
        pages[0].setValue(100, forKey: "length")
        try stack.context.save()
        try DerivedLibrary.expect(
            stack, object: first, expected: ["pageCount": 4, "total": 109, "longest": 100, "shortest": 2])
        pages[0].setValue(second, forKey: "book")
        stack.context.delete(pages[1])
        try stack.context.save()
        try DerivedLibrary.expect(
            stack, object: first, expected: ["pageCount": 2, "total": 7, "weight": 1.0, "longest": 4, "mean": 3.5])
        try DerivedLibrary.expect(
            stack, object: second,
            expected: ["pageCount": 1, "total": 100, "weight": 0.5, "shortest": 100, "mean": 100.0])
        second.setValue(NSSet(array: [pages[2]]), forKey: "pages")
        stack.context.delete(first)
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: second, expected: ["pageCount": 1, "total": 3])
        pages[2].setValue(nil, forKey: "length")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: second, expected: ["pageCount": 1, "total": 0, "longest": nil])
    }

    @Sendable private static func derivedFromLinks(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.tagCount", .integer64AttributeType, "tags.@count")
        builder.derived("Book.rank", .integer64AttributeType, "tags.@sum.rank")
        builder.derived("Tag.bookCount", .integer64AttributeType, "books.@count")
        builder.derived("Book.noteCount", .integer64AttributeType, "notes.@count")
        builder.derived("Book.noted", .integer64AttributeType, "notes.@sum.length")
        let stack = try store.open(builder.model)
        let books = (0..<2).map { _ in stack.context.insert("Book") }
        let tag = stack.context.insert("Tag", ["rank": 3])
        let note = stack.context.insert("Page", ["length": 8])
        try stack.context.save()
        tag.setValue(NSSet(array: books), forKey: "books")
        books[0].setValue(NSSet(object: note), forKey: "notes")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: tag, expected: ["bookCount": 2])
        try DerivedLibrary.expect(
            stack, object: books[0], expected: ["tagCount": 1, "rank": 3, "noteCount": 1, "noted": 8])
        try DerivedLibrary.expect(
            stack, object: books[1], expected: ["tagCount": 1, "rank": 3, "noteCount": 0, "noted": 0])
        tag.setValue(5, forKey: "rank")
        note.setValue(9, forKey: "length")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: books[0], expected: ["rank": 5, "noted": 9])
        stack.context.delete(books[1])
        books[0].setValue(NSSet(), forKey: "notes")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: tag, expected: ["bookCount": 1])
        try DerivedLibrary.expect(stack, object: books[0], expected: ["noteCount": 0, "noted": 0])
        stack.context.delete(tag)
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: books[0], expected: ["tagCount": 0, "rank": 0])
    }

    @Sendable private static func derivedTexts(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.plain", .stringAttributeType, "canonical:(title)")
        builder.derived("Book.loud", .stringAttributeType, "uppercase:(title)")
        builder.derived("Book.quiet", .stringAttributeType, "lowercase:(title)")
        builder.derived("Book.same", .stringAttributeType, "title")
        let stack = try store.open(builder.model)
        let book = stack.context.insert("Book", ["title": "Ärger"])
        let blank = stack.context.insert("Book")
        try stack.context.save()
        try DerivedLibrary.expect(
            stack, object: book, expected: ["plain": "arger", "loud": "ÄRGER", "quiet": "ärger", "same": "Ärger"])
        try DerivedLibrary.expect(stack, object: blank, expected: ["plain": nil, "same": nil])
        book.setValue("Öl", forKey: "title")
        try stack.context.save()
        try DerivedLibrary.expect(
            stack, object: book, expected: ["plain": "ol", "loud": "ÖL", "quiet": "öl", "same": "Öl"])
        book.setValue(nil, forKey: "title")
        try stack.context.save()
        try DerivedLibrary.expect(
            stack, object: book, expected: ["plain": nil, "loud": nil, "quiet": nil, "same": nil])
    }

    @Sendable private static func derivedFromPaths(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Page.bookTitle", .stringAttributeType, "book.title")
        builder.derived("Page.writer", .stringAttributeType, "uppercase:(book.author.name)")
        let stack = try store.open(builder.model)
        let authors = ["Ann", "Bob"].map { stack.context.insert("Author", ["name": $0]) }
        let book = stack.context.insert("Book", ["title": "A", "author": authors[0]])
        let page = stack.context.insert("Page", ["book": book])
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: page, expected: ["bookTitle": "A", "writer": "ANN"])
        book.setValue("B", forKey: "title")
        authors[0].setValue("Eve", forKey: "name")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: page, expected: ["bookTitle": "B", "writer": "EVE"])
        book.setValue(authors[1], forKey: "author")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: page, expected: ["bookTitle": "B", "writer": "BOB"])
        stack.context.delete(authors[1])
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: page, expected: ["bookTitle": "B", "writer": nil])
        let other = stack.context.insert("Book", ["title": "C", "author": authors[0]])
        page.setValue(other, forKey: "book")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: page, expected: ["bookTitle": "C", "writer": "EVE"])
        stack.context.delete(other)
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: page, expected: ["bookTitle": nil, "writer": nil])
    }

    @Sendable private static func derivedTimes(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.changed", .dateAttributeType, "now()")
        let stack = try store.open(builder.model)
        let (book, other) = (stack.context.insert("Book", ["title": "A"]), stack.context.insert("Novel"))
        let start = Date()
        try stack.context.save()
        let inserted = try #require(book.value(forKey: "changed") as? Date)
        let otherTime = try #require(other.value(forKey: "changed") as? Date)
        #expect(inserted >= start.addingTimeInterval(-1) && inserted <= Date().addingTimeInterval(1))
        book.setValue("B", forKey: "title")
        try stack.context.save()
        let updated = try #require(book.value(forKey: "changed") as? Date)
        #expect(updated > inserted)
        #expect(other.value(forKey: "changed") as? Date == otherTime)
        let again = try #require(try stack.reopened().context.all("Book", NSPredicate(format: "title == 'B'")).first)
        #expect(again.value(forKey: "changed") as? Date == updated)
    }

    @Sendable private static func derivedInSubentities(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.plain", .stringAttributeType, "canonical:(title)")
        builder.derived("Book.total", .integer64AttributeType, "pages.@sum.length")
        builder.derived("Novel.writer", .stringAttributeType, "author.name")
        builder.derived("Novel.tagRank", .integer64AttributeType, "tags.@sum.rank")
        let stack = try store.open(builder.model)
        let author = stack.context.insert("Author", ["name": "Ann"])
        let tag = stack.context.insert("Tag", ["rank": 2])
        let novel = stack.context.insert("Novel", ["title": "É", "author": author, "tags": NSSet(object: tag)])
        let book = stack.context.insert("Book", ["title": "È", "author": author, "tags": NSSet(object: tag)])
        stack.context.insert("Page", ["length": 3, "book": novel])
        try stack.context.save()
        try DerivedLibrary.expect(
            stack, object: novel, expected: ["plain": "e", "total": 3, "writer": "Ann", "tagRank": 2])
        try DerivedLibrary.expect(stack, object: book, expected: ["plain": "e", "total": 0])
        let thriller = stack.context.insert("Thriller", ["author": author, "tags": NSSet(object: tag)])
        try stack.context.save()
        try DerivedLibrary.expect(
            stack, object: thriller, expected: ["plain": nil, "total": 0, "writer": "Ann", "tagRank": 2])
        author.setValue("Bob", forKey: "name")
        tag.setValue(7, forKey: "rank")
        stack.context.insert("Page", ["length": 4, "book": novel])
        stack.context.insert("Page", ["length": 5, "book": book])
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: novel, expected: ["total": 7, "writer": "Bob", "tagRank": 7])
        try DerivedLibrary.expect(stack, object: book, expected: ["total": 5])
    }

    @Sendable private static func derivedInOtherContexts(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.total", .integer64AttributeType, "pages.@sum.length")
        builder.derived("Book.tagCount", .integer64AttributeType, "tags.@count")
        let stack = try store.open(builder.model)
        let book = stack.context.insert("Book", ["title": "A"])
        try stack.context.save()
        let other = stack.newContext()
        let same = try #require(try other.all("Book").first)
        other.insert("Page", ["length": 5, "book": same])
        other.insert("Tag", ["books": NSSet(object: same)])
        try other.save()
        #expect([DerivedLibrary.integer(same, "total"), DerivedLibrary.integer(same, "tagCount")] == [5, 1])
        stack.context.refresh(book, mergeChanges: false)
        #expect([DerivedLibrary.integer(book, "total"), DerivedLibrary.integer(book, "tagCount")] == [5, 1])
        book.setValue("B", forKey: "title")
        try stack.context.save()
        #expect([DerivedLibrary.integer(book, "total"), DerivedLibrary.integer(book, "tagCount")] == [5, 1])
    }

    @Sendable private static func derivedInFetches(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.plain", .stringAttributeType, "canonical:(title)")
        builder.derived("Book.total", .integer64AttributeType, "pages.@sum.length")
        let stack = try store.open(builder.model)
        let titles = ["Čapek", "ábc", "Byron"]
        for (number, title) in titles.enumerated() {
            let book = stack.context.insert("Book", ["title": title])
            stack.context.insert("Page", ["length": number * 10, "book": book])
        }
        try stack.context.save()
        let again = try stack.reopened()
        #expect(
            try again.context.all("Book", sortedBy: "plain").map { DerivedLibrary.text($0, "title") } == [
                "ábc", "Byron", "Čapek",
            ])
        #expect(try again.context.all("Book", sortedBy: "total").map { DerivedLibrary.text($0, "title") } == titles)
        let found = try again.context.all("Book", NSPredicate(format: "plain BEGINSWITH 'c' OR total > 15"))
        #expect(Set(found.compactMap { DerivedLibrary.text($0, "title") }) == ["Čapek", "Byron"])
    }

    @Sendable private static func derivedUniqueness(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.plain", .stringAttributeType, "canonical:(title)")
        builder["Book"].uniquenessConstraints = [["plain"]]
        let stack = try store.open(builder.model)
        let books = ["Eins", "Zwei"].map { stack.context.insert("Book", ["title": $0]) }
        stack.context.insert("Book")
        stack.context.insert("Book")
        try stack.context.save()
        for (key, value) in [("title", "EINS"), ("title", "zwei")] {
            let twin = stack.context.insert("Book", [key: value])
            let error = #expect(throws: (any Error).self) { try stack.context.save() }
            #expect((error as? NSError)?.code == NSManagedObjectConstraintMergeError)
            stack.context.delete(twin)
        }
        try stack.context.save()
        // Two unique values are swapped in one save.
        books[0].setValue("ZWEI", forKey: "title")
        books[1].setValue("EINS", forKey: "title")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: books[0], expected: ["plain": "zwei"])
        try DerivedLibrary.expect(stack, object: books[1], expected: ["plain": "eins"])
    }

    @Sendable private static func derivedFromItself(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.sequelCount", .integer64AttributeType, "sequels.@count")
        let stack = try store.open(builder.model)
        let book = stack.context.insert("Novel")
        book.setValue(book, forKey: "original")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: book, expected: ["sequelCount": 1])
        stack.context.insert("Book", ["original": book])
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: book, expected: ["sequelCount": 2])
        book.setValue(nil, forKey: "original")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: book, expected: ["sequelCount": 1])
    }

    @Sendable private static func derivedOutOfRange(_ store: ContractStore) throws {
        let builder = DerivedLibrary.builder()
        builder.derived("Book.total", .integer16AttributeType, "pages.@sum.length")
        builder.derived("Book.number", .integer16AttributeType, "title")
        let stack = try store.open(builder.model)
        let book = stack.context.insert("Book", ["title": "5"])
        let page = stack.context.insert("Page", ["length": 40_000, "book": book])
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: book, expected: ["total": nil, "number": nil])
        page.setValue(4, forKey: "length")
        try stack.context.save()
        try DerivedLibrary.expect(stack, object: book, expected: ["total": 4, "number": nil])
    }
}
