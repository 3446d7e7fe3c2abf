import CoreDataGraph
import StoreContract
import Testing

@Suite struct DerivedAttributeTests {
    private func stack() throws -> Stack {
        let draft = ModelDraft()
        draft.entity("Book", ["title": .stringAttributeType])
        draft.entity("Novel", in: "Book")
        draft.entity("Page", ["length": .integer32AttributeType])
        draft.entity("Tag", ["name": .stringAttributeType])
        draft.relationships("Book.pages*", "Page.book")
        draft.relationships("Book.tags*", "Tag.books*")
        draft.relationship("Book.notes*", to: "Page")
        derive(draft, "Book", "pageCount", .integer64AttributeType, "pages.@count")
        derive(draft, "Book", "total", .integer64AttributeType, "pages.@sum.length")
        derive(draft, "Book", "tagCount", .integer64AttributeType, "tags.@count")
        derive(draft, "Tag", "bookCount", .integer64AttributeType, "books.@count")
        derive(draft, "Book", "noteCount", .integer64AttributeType, "notes.@count")
        derive(draft, "Book", "plain", .stringAttributeType, "canonical:(title)")
        derive(draft, "Book", "loud", .stringAttributeType, "uppercase:(title)")
        derive(draft, "Book", "quiet", .stringAttributeType, "lowercase:(title)")
        derive(draft, "Book", "changed", .dateAttributeType, "now()")
        derive(draft, "Page", "bookTitle", .stringAttributeType, "book.title")
        return try Stack(draft.model, kind: .inMemory)
    }

    private func derive(
        _ draft: ModelDraft, _ entity: String, _ name: String, _ type: NSAttributeType, _ text: String
    ) {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationText = text
        draft[entity].properties.append(attribute)
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
