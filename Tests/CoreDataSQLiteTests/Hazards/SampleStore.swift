import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// A small store of our own with most kinds of properties, and ways to look into what is left of a damaged one.
enum SampleStore {
    /// `Shelf` has ordered books; `Novel` and `Atlas` inherit from the abstract `Book`; books and tags are many-to-many.
    static func model() -> NSManagedObjectModel {
        let shelf = entity("Shelf", [attribute("name", .stringAttributeType)])
        let book = entity(
            "Book",
            [
                attribute("title", .stringAttributeType), attribute("pages", .integer32AttributeType),
                attribute("price", .decimalAttributeType), attribute("added", .dateAttributeType),
                attribute("code", .UUIDAttributeType), attribute("link", .URIAttributeType),
                attribute("rating", .doubleAttributeType), attribute("isLent", .booleanAttributeType),
                attribute("notes", .transformableAttributeType), attribute("cover", .binaryDataAttributeType),
            ])
        book.isAbstract = true
        book.attributesByName["cover"]?.allowsExternalBinaryDataStorage = true
        let novel = entity("Novel", [attribute("hero", .stringAttributeType)])
        let atlas = entity("Atlas", [attribute("maps", .integer16AttributeType)])
        book.subentities = [novel, atlas]
        let tag = entity("Tag", [attribute("word", .stringAttributeType)])
        connect(shelf, "books", toMany: true, book, "shelf", toMany: false)
        shelf.relationshipsByName["books"]?.isOrdered = true
        connect(book, "tags", toMany: true, tag, "books", toMany: true)
        connect(novel, "sequel", toMany: false, novel, "prequel", toMany: false)
        let model = NSManagedObjectModel()
        model.entities = [shelf, book, novel, atlas, tag]
        return model
    }

    static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    static func connect(
        _ source: NSEntityDescription, _ name: String, toMany: Bool, _ destination: NSEntityDescription,
        _ inverse: String, toMany inverseIsToMany: Bool
    ) {
        let (forth, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        for (relationship, name, isToMany, target) in [
            (forth, name, toMany, destination), (back, inverse, inverseIsToMany, source),
        ] {
            relationship.name = name
            relationship.maxCount = isToMany ? 0 : 1
            relationship.isOptional = true
            relationship.destinationEntity = target
            relationship.deleteRule = .nullifyDeleteRule
        }
        forth.inverseRelationship = back
        back.inverseRelationship = forth
        source.properties.append(forth)
        destination.properties.append(back)
    }

    /// Makes a store with 3 shelves, 12 novels, 5 atlases and 4 tags, closes it and returns where it is.
    static func make() throws -> URL {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Books.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        func insert(_ name: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        let shelves = (0..<3).map { insert("Shelf", ["name": "Shelf \($0)"]) }
        let tags = (0..<4).map { insert("Tag", ["word": "tag\($0)"]) }
        var last: NSManagedObject?
        for number in 0..<17 {
            let isNovel = number < 12
            let book = insert(
                isNovel ? "Novel" : "Atlas",
                [
                    "title": "Title \(number) – größer", "pages": number * 10, "price": Decimal(string: "9.95") ?? 0,
                    "added": Date(timeIntervalSinceReferenceDate: Double(number) * 86_400), "code": UUID(),
                    "rating": Double(number) / 3, "isLent": number % 2 == 0,
                    "notes": ["first", "second"], "cover": Data(repeating: UInt8(number), count: 40),
                ])
            book.setValue(URL(string: "https://example.org/\(number)"), forKey: "link")
            book.setValue(shelves[number % 3], forKey: "shelf")
            book.setValue(NSSet(array: [tags[number % 4], tags[(number + 1) % 4]]), forKey: "tags")
            if isNovel { book.setValue(last, forKey: "prequel") }
            last = isNovel ? book : nil
        }
        try context.save()
        try coordinator.remove(store)
        return url
    }

    /// Makes a database that is no store.
    static func create(_ url: URL, _ statements: String...) throws {
        let connection = try Connection.open(url.path, OpenOptions(mode: .create))
        for statement in statements { try connection.execute(statement) }
        connection.close()
    }

    /// Changes a store's file by SQL, with what protects a schema switched off.
    static func tamper(_ url: URL, _ statements: String...) throws {
        let connection = try Connection.open(url.path)
        try connection.configure(.defensive, false)
        for statement in statements { try connection.execute(statement) }
        connection.close()
    }
}

/// What came of opening a store and of touching everything in it.
struct Survey {
    /// Every value as text, in order; nil where the store was refused.
    var contents: [String]?
    var error: NSError?
    var problems: [String] = []
    var reports: [any Error] = []
    var isReadOnly = false

    /// Opens a store, reads all, writes a little if `writes`, and closes it.
    init(_ url: URL, writes: Bool = false, _ options: [AnyHashable: Any]? = nil) {
        do {
            try survey(url, writes: writes, options)
        } catch {
            self.error = error as NSError
        }
    }

    /// Whether the refusal says in one line what is wrong and where, and what to do.
    var isClearRefusal: Bool { error?.isClearRefusal == true }

    private mutating func survey(_ url: URL, writes: Bool, _ options: [AnyHashable: Any]?) throws {
        let model = SampleStore.model()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let added = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let store = try #require(added as? SQLiteStore)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.retainsRegisteredObjects = true
        let collected = Collected()
        context.dataErrorHandler = { error, _ in collected.errors.append(error) }
        defer {
            problems = store.problems
            reports = collected.errors
            isReadOnly = store.isReadOnly
        }
        var lines: [String] = []
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            _ = try context.count(for: request)
            for object in try context.fetch(request) { lines.append(Self.text(of: object)) }
        }
        contents = lines.sorted()
        guard writes, !store.isReadOnly else { return }
        let novel = NSEntityDescription.insertNewObject(forEntityName: "Novel", into: context)
        novel.setValue("New", forKey: "title")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
        if let shelf = try context.fetch(request).first { novel.setValue(shelf, forKey: "shelf") }
        try context.save()
    }

    private static func text(of object: NSManagedObject) -> String {
        var parts = ["\(object.entity.name ?? "")#\(object.objectID.key)"]
        for name in object.entity.attributesByName.keys.sorted() {
            let value = object.value(forKey: name)
            parts.append("\(name)=\((value as? Data)?.base64EncodedString() ?? value.map { "\($0)" } ?? "nil")")
        }
        for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
            let members: [NSManagedObject] =
                switch object.value(forKey: name) {
                case let one as NSManagedObject: [one]
                case let set as NSOrderedSet: set.array as? [NSManagedObject] ?? []
                case let set as NSSet:
                    (set.allObjects as? [NSManagedObject] ?? []).sorted { $0.objectID.key < $1.objectID.key }
                default: []
                }
            parts.append(
                "\(name)=\(relationship.isToMany)\(members.map { "\($0.entity.name ?? "")#\($0.objectID.key)" })")
        }
        return parts.joined(separator: ";")
    }

    private final class Collected { var errors: [any Error] = [] }
}

/// An open sample store with a context that collects what it cannot read.
final class Opened {
    let coordinator: NSPersistentStoreCoordinator
    let store: SQLiteStore
    let context: NSManagedObjectContext
    private(set) var reports: [any Error] = []

    init(_ url: URL, model: NSManagedObjectModel = SampleStore.model()) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try #require(try coordinator.addPersistentStore(type: .sqlite, at: url) as? SQLiteStore)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.retainsRegisteredObjects = true
        context.dataErrorHandler = { [weak self] error, _ in self?.reports.append(error) }
    }

    func fetch(_ entity: String) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    }
}
