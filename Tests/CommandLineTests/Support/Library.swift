import CoreData
import Testing

/// A small store made by the test: books, novels and authors, with every type of attribute.
struct Library {
    let folder: URL
    let store: URL
    /// The model's source with two versions; the store was made with the first, which is not the current one.
    let package: URL
    let uuid: String

    init() throws {
        folder = try Scratch.folder()
        store = folder.appendingPathComponent("Library.sqlite")
        package = folder.appendingPathComponent("Library.xcdatamodeld")
        try Self.write(Self.source(""), version: "Library", to: package)
        try Self.write(
            Self.source(#"<attribute name="shelf" optional="YES" attributeType="String"/>"#), version: "Library 2",
            to: package)
        let pointer = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Library 2.xcdatamodel</string></dict></plist>
            """
        try Data(pointer.utf8).write(to: package.appendingPathComponent(".xccurrentversion"))
        uuid = try Self.fill(store, model: NSManagedObjectModel(source: Data(Self.source("").utf8)))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// The arguments that every command needs for this store.
    var model: [String] { ["--model", package.path] }

    private static func write(_ source: String, version: String, to package: URL) throws {
        let folder = package.appendingPathComponent("\(version).xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: folder.appendingPathComponent("contents"))
    }

    private static func fill(_ url: URL, model: NSManagedObjectModel) throws -> String {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Ann Able", forKey: "name")
            author.setValue(Date(timeIntervalSinceReferenceDate: 0.25), forKey: "born")
            try context.save()
            for number in 1...3 {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("Book \(number)", forKey: "title")
                book.setValue(number * 100, forKey: "pages")
                if number < 3 { book.setValue(author, forKey: "author") }
                if number == 1 { fillAllTypes(book) }
                // One save each, so that keys follow the order.
                try context.save()
            }
            let novel = NSEntityDescription.insertNewObject(forEntityName: "Novel", into: context)
            novel.setValue("Tab\tand \u{1B}[31mred \u{202E}turned", forKey: "title")
            novel.setValue("Fantasy, \"dark\"", forKey: "genre")
            try context.save()
        }
        let identifier = store.identifier ?? ""
        try coordinator.remove(store)
        return identifier
    }

    private static func fillAllTypes(_ book: NSManagedObject) {
        book.setValue(NSDecimalNumber(string: "12.50"), forKey: "price")
        book.setValue(UUID(uuidString: "123E4567-E89B-12D3-A456-426614174000"), forKey: "isbn")
        book.setValue(URL(string: "https://example.org/1"), forKey: "link")
        book.setValue(Data([1, 2, 3]), forKey: "cover")
        book.setValue(true, forKey: "isRead")
        book.setValue(Float(0.1), forKey: "weight")
        book.setValue(0.1, forKey: "rating")
        book.setValue(Int64.max, forKey: "number")
        book.setValue(NSArray(array: ["a", 1]), forKey: "tags")
    }

    private static func source(_ further: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="one">
        <entity name="Author" representedClassName="Author" syncable="YES">
        <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="name" attributeType="String" maxValueString="20"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
        </entity>
        <entity name="Book" representedClassName="Book" syncable="YES">\(further)
        <attribute name="cover" optional="YES" attributeType="Binary"/>
        <attribute name="isbn" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
        <attribute name="isRead" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>
        <attribute name="link" optional="YES" attributeType="URI"/>
        <attribute name="number" optional="YES" attributeType="Integer 64" usesScalarValueType="YES"/>
        <attribute name="pages" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="rating" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
        <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
        <attribute name="title" attributeType="String"/>
        <attribute name="weight" optional="YES" attributeType="Float" usesScalarValueType="YES"/>
        <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
        <fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" order="ascending"/></fetchIndex>
        </entity>
        <entity name="Novel" representedClassName="Novel" parentEntity="Book" syncable="YES">
        <attribute name="genre" optional="YES" attributeType="String"/>
        </entity>
        </model>
        """
    }
}
