import CoreDataGraph
import StoreContract
import Testing

@Suite struct DerivedAttributeTests {
    private func stack() throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Book", ["title": .stringAttributeType])
        builder.entity("Novel", in: "Book")
        builder.entity("Page", ["length": .integer32AttributeType])
        builder.entity("Tag", ["name": .stringAttributeType])
        builder.relationships("Book.pages*", "Page.book")
        builder.relationships("Book.tags*", "Tag.books*")
        builder.relationship("Book.notes*", to: "Page")
        derive(builder, "Book", "pageCount", .integer64AttributeType, "pages.@count")
        derive(builder, "Book", "total", .integer64AttributeType, "pages.@sum.length")
        derive(builder, "Book", "tagCount", .integer64AttributeType, "tags.@count")
        derive(builder, "Tag", "bookCount", .integer64AttributeType, "books.@count")
        derive(builder, "Book", "noteCount", .integer64AttributeType, "notes.@count")
        derive(builder, "Book", "plain", .stringAttributeType, "canonical:(title)")
        derive(builder, "Book", "loud", .stringAttributeType, "uppercase:(title)")
        derive(builder, "Book", "quiet", .stringAttributeType, "lowercase:(title)")
        derive(builder, "Book", "changed", .dateAttributeType, "now()")
        derive(builder, "Page", "bookTitle", .stringAttributeType, "book.title")
        return try Stack(builder.model, kind: .inMemory)
    }

    private func derive(
        _ builder: ModelBuilder, _ entity: String, _ name: String, _ type: NSAttributeType, _ text: String
    ) {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationText = text
        builder[entity].properties.append(attribute)
    }

    private func integer(_ object: NSManagedObject, _ key: String) -> Int? { object.value(forKey: key) as? Int }

    @Test("counts and sums follow members that come, change, move and go (STO-03)")
    func countsAndSumsFollowMembers() throws {
        let stack = try stack()
        let first = stack.context.insert("Book", ["title": "A"])
        let second = stack.context.insert("Novel", ["title": "B"])
        let pages = (1...4).map { stack.context.insert("Page", ["length": $0, "book": first]) }
        try stack.context.save()
        #expect([integer(first, "pageCount"), integer(first, "total")] == [4, 10])
        #expect([integer(second, "pageCount"), integer(second, "total")] == [0, 0])
        pages[0].setValue(100, forKey: "length")
        try stack.context.save()
        #expect(integer(first, "total") == 109)
        pages[0].setValue(second, forKey: "book")
        stack.context.delete(pages[1])
        try stack.context.save()
        #expect([integer(first, "pageCount"), integer(first, "total")] == [2, 7])
        #expect([integer(second, "pageCount"), integer(second, "total")] == [1, 100])
        let other = try stack.newContext().all("Novel", NSPredicate(format: "total == 100 AND pageCount == 1"))
        #expect(other.count == 1)
    }

    @Test("an owner whose members another context changed is read again, and its changes keep the count (STO-03)")
    func ownersInOtherContexts() throws {
        let stack = try stack()
        let book = stack.context.insert("Book", ["title": "A"])
        try stack.context.save()
        let other = stack.newContext()
        let same = try #require(try other.all("Book").first)
        other.insert("Page", ["length": 5, "book": same])
        try other.save()
        #expect(integer(same, "pageCount") == 1)
        stack.context.refresh(book, mergeChanges: false)
        book.setValue("C", forKey: "title")
        try stack.context.save()
        #expect([integer(book, "pageCount"), integer(book, "total")] == [1, 5])
    }

    @Test func countsOfManyToManyAndInverselessRelationships() throws {
        let stack = try stack()
        let books = (0..<2).map { _ in stack.context.insert("Book") }
        let tag = stack.context.insert("Tag")
        let note = stack.context.insert("Page")
        try stack.context.save()
        tag.setValue(NSSet(array: books), forKey: "books")
        books[0].setValue(NSSet(object: note), forKey: "notes")
        try stack.context.save()
        #expect(integer(tag, "bookCount") == 2)
        #expect(books.map { integer($0, "tagCount") } == [1, 1])
        #expect(books.map { integer($0, "noteCount") } == [1, 0])
        stack.context.delete(books[1])
        books[0].setValue(NSSet(), forKey: "notes")
        try stack.context.save()
        #expect(integer(tag, "bookCount") == 1)
        #expect(integer(books[0], "noteCount") == 0)
    }

    @Test func textsAndTimesAreComputedAtEachSave() throws {
        let stack = try stack()
        let book = stack.context.insert("Book", ["title": "Ärger"])
        let page = stack.context.insert("Page", ["book": book])
        try stack.context.save()
        #expect(["plain", "loud", "quiet"].map { book.value(forKey: $0) as? String } == ["arger", "ÄRGER", "ärger"])
        #expect(page.value(forKey: "bookTitle") as? String == "Ärger")
        let time = try #require(book.value(forKey: "changed") as? Date)
        #expect(abs(time.timeIntervalSinceNow) < 60)
        book.setValue("Öl", forKey: "title")
        try stack.context.save()
        #expect(book.value(forKey: "plain") as? String == "ol")
        #expect(page.value(forKey: "bookTitle") as? String == "Öl")
        #expect(try #require(book.value(forKey: "changed") as? Date) > time)
        book.setValue(nil, forKey: "title")
        try stack.context.save()
        #expect(book.value(forKey: "plain") == nil)
    }
}
