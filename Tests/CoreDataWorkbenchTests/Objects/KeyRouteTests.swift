import CoreData
import CoreDataWorkbench
import Testing

@Suite struct KeyRouteTests {
    /// Book -> Author, Author ->> Book, and Novel : Book.
    private let model: NSManagedObjectModel
    private let book: NSEntityDescription

    init() throws {
        let source = """
            <?xml version="1.0" encoding="UTF-8"?><model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Author"><attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="author" inverseEntity="Book"/></entity>
            <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="pages" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
            <attribute name="tags" optional="YES" attributeType="Transformable"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/></entity>
            <entity name="Novel" parentEntity="Book"><attribute name="genre" optional="YES" attributeType="String"/></entity>
            </model>
            """
        model = try NSManagedObjectModel(source: Data(source.utf8))
        book = try #require(model.entitiesByName["Book"])
    }

    @Test func followsToOneRelationshipsToPropertiesAndCounts() throws {
        #expect(try KeyRoute("author.name", from: book).isNumber == false)
        #expect(try KeyRoute("pages", from: book).isNumber)
        #expect(try KeyRoute("author.books.@count", from: book).isNumber)
        #expect(try KeyRoute("author.books", from: book).isRelationship)
        #expect(try KeyRoute("author.objectID", from: book).isRelationship == false)
    }

    @Test(
        "an unknown key names the entity and the nearest key (HAZ-54)",
        arguments: [
            ("titel", "did you mean 'title'?"), ("author.nam", "did you mean 'name'?"),
            ("genre", "its sub-entity 'Novel' has it"),
        ])
    func unknownKeyIsRefusedWithAHint(path: String, hint: String) {
        let error = #expect(throws: InspectionError.self) { try KeyRoute(path, from: book) }
        #expect(error?.code == .unknownKey)
        #expect(error?.hint == hint)
    }

    @Test(
        "paths that lead nowhere are refused (HAZ-54)",
        arguments: [
            "", ".", "author.", "title.x", "author.books.title", "author.books.@sum.pages", "_storage", "self.self",
            "author.books.@count.x",
        ])
    func pathThatLeadsNowhereIsRefused(path: String) {
        #expect(throws: InspectionError.self) { try KeyRoute(path, from: book) }
    }

    @Test func sortsByAttributesOnly() throws {
        let descriptors = try ObjectQuery(book, sort: "author.name,-pages").sortDescriptors
        #expect(descriptors.map(\.key) == ["author.name", "pages"])
        #expect(descriptors.map(\.ascending) == [true, false])
        for sort in ["author", "tags", "author.books.@count", "nothing"] {
            #expect(throws: InspectionError.self) { try ObjectQuery(book, sort: sort) }
        }
    }

    @Test func predicateThatDoesNotParseIsShownWithACaret() throws {
        let error = #expect(throws: InspectionError.self) { try ObjectQuery(book, where: "pages > > 3") }
        #expect(error?.code == .badPredicate)
        #expect(error?.excerpt == "pages > > 3\n        ^")
    }

    @Test(
        "a predicate's keys are looked up in the model (HAZ-54)",
        arguments: [
            "titel == 'x'", "author.nam == 'x'", "ANY author.books.pagez > 1",
            "SUBQUERY(author.books, $b, $b.titel == 'x').@count > 0", "NOT (pages > 1 OR titel == nil)",
            "pages > $limit",
        ])
    func predicateWithAnUnknownKeyIsRefused(text: String) {
        #expect(throws: InspectionError.self) { try ObjectQuery(book, where: text) }
    }

    @Test(arguments: [
        "title BEGINSWITH[cd] 'x' AND pages BETWEEN {1, 3}", "author.books.@count > 2", "ANY author.books.pages > 1",
        "SUBQUERY(author.books, $b, $b.title == 'x' AND $b.author.name != nil).@count > 0", "SELF != nil",
        "TRUEPREDICATE",
    ])
    func predicateAlongTheModelIsTaken(text: String) throws {
        #expect(try ObjectQuery(book, where: text).predicate != nil)
    }

    @Test(arguments: [
        ("x-coredata://ABC/Book/p7", "ABC", "Book", Int64(7)), ("Book/p12", nil, "Book", 12),
    ])
    func readsAddresses(text: String, store: String?, entity: String, key: Int64) throws {
        let address = try ObjectAddress(text)
        #expect(address.store == store)
        #expect(address.entity == entity)
        #expect(address.key == key)
    }

    @Test(arguments: [
        "", "Book", "Book/7", "Book/t7", "x-coredata:///Book/p7", "x-coredata://ABC/Book", "a/b/p1",
        "Book/p99999999999999999999",
    ])
    func refusesWhatIsNoAddress(text: String) {
        #expect(throws: InspectionError.self) { try ObjectAddress(text) }
    }

    @Test func indexIsReadFromItsStatement() {
        let index = StoreIndex(
            name: "i", table: "T", sql: "CREATE UNIQUE INDEX i ON T (ZA COLLATE BINARY ASC, lower(ZB, 'x') DESC)")
        #expect(index.columns == ["ZA COLLATE BINARY ASC", "lower(ZB, 'x') DESC"])
        #expect(index.isUnique)
    }
}
