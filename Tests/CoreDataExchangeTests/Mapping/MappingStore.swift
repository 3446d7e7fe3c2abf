import CoreData
import CoreDataExchange
import CoreDataWorkbench
import TestBasics
import Testing

/// A store of messages, weather and articles into which documents are imported by mappings.
struct MappingStore {
    let folder: TemporaryFolder
    let store: URL
    private let model: URL

    private let source: String

    init(source: String = Self.source) throws {
        self.source = source
        folder = try TemporaryFolder()
        store = folder.url.appendingPathComponent("News.sqlite")
        model = folder.url.appendingPathComponent("News.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: model.appendingPathComponent("contents"))
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(source: Data(source.utf8)))
        try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: store))
    }

    /// What came of an import.
    struct Outcome: Equatable {
        var counts: ImportReport.Counts
        var isSaved: Bool
        var refusals: [String]
    }

    /// Imports a document by a mapping, given as a property list in its text form.
    func take(
        _ document: String, named name: String, by mapping: String, mode: EditMode = .save
    ) throws -> Outcome {
        try take(Data(document.utf8), named: name, by: Self.mapping(mapping), mode: mode)
    }

    func take(_ document: Data, named name: String, by mapping: ImportMapping, mode: EditMode = .save) throws -> Outcome
    {
        let file = folder.url.appendingPathComponent(name)
        try document.write(to: file)
        var request = ImportRequest(files: [file.path])
        request.mapping = mapping
        request.mode = mode
        let open = try OpenStore(at: store, model: model, for: .importing)
        defer { open.close() }
        var refusals: [String] = []
        let report = try StoreImport(request).run(
            in: open, refused: { refusals.append("\($0.line) \($0.column ?? "-"): \($0.reason)") })
        return Outcome(counts: report.total, isSaved: report.isSaved, refusals: refusals)
    }

    static func mapping(_ text: String) throws -> ImportMapping {
        try ImportMapping(propertyList: Data(text.utf8), named: "mapping")
    }

    /// The entity of a name.
    func entity(_ name: String) throws -> NSEntityDescription {
        let model = try NSManagedObjectModel(source: Data(source.utf8))
        return try #require(model.entitiesByName[name])
    }

    /// Gives the objects of an entity, sorted by a key, to a block.
    func read<Value>(_ entity: String, by key: String, _ body: ([NSManagedObject]) throws -> Value) throws -> Value {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(source: Data(source.utf8)))
        let opened = try coordinator.addPersistentStore(type: .sqlite, at: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let value = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
            return try body(context.fetch(request))
        }
        try coordinator.remove(opened)
        return value
    }

    /// Values of the objects of an entity as texts, sorted by the first of the keys.
    func texts(_ entity: String, _ keys: String...) throws -> [String] {
        try read(entity, by: keys[0]) { objects in
            objects.map { object in
                keys.map { key in
                    switch object.value(forKeyPath: key) {
                    case let date as Date: ISO8601DateFormatter().string(from: date)
                    case let set as NSSet: set.allObjects.map { "\($0)" }.sorted().joined(separator: "+")
                    case let set as NSOrderedSet: set.array.map { "\($0)" }.joined(separator: "+")
                    case let list as [Any]: list.map { "\($0)" }.joined(separator: "+")
                    case let value?: "\(value)"
                    case nil: "nil"
                    }
                }.joined(separator: "|")
            }
        }
    }

    static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Forecast" representedClassName="Forecast" syncable="YES">
            <attribute name="date" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="high" optional="YES" attributeType="Integer 16" usesScalarValueType="NO"/>
            <attribute name="low" optional="YES" attributeType="Integer 16" usesScalarValueType="NO"/>
            <attribute name="text" optional="YES" attributeType="String"/>
        </entity>
        <entity name="Message" representedClassName="Message" syncable="YES">
            <attribute name="created" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="identifier" attributeType="Integer 64" usesScalarValueType="NO"/>
            <attribute name="isOpen" optional="YES" attributeType="Boolean" usesScalarValueType="NO"/>
            <attribute name="price" optional="YES" attributeType="Decimal"/>
            <attribute name="text" attributeType="String"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" \
        inverseName="messages" inverseEntity="Person"/>
            <relationship name="pictures" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
        destinationEntity="Picture" inverseName="message" inverseEntity="Picture"/>
            <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" \
        inverseName="messages" inverseEntity="Tag"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="identifier"/></uniquenessConstraint>\
        </uniquenessConstraints>
        </entity>
        <entity name="Person" representedClassName="Person" syncable="YES">
            <attribute name="fullName" optional="YES" attributeType="String"/>
            <attribute name="handle" attributeType="String"/>
            <relationship name="messages" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Message" inverseName="author" inverseEntity="Message"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="handle"/></uniquenessConstraint>\
        </uniquenessConstraints>
        </entity>
        <entity name="Picture" representedClassName="Picture" syncable="YES">
            <attribute name="address" attributeType="String"/>
            <relationship name="message" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Message" inverseName="pictures" inverseEntity="Message"/>
        </entity>
        <entity name="Tag" representedClassName="Tag" syncable="YES">
            <attribute name="name" attributeType="String"/>
            <relationship name="messages" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Message" inverseName="tags" inverseEntity="Message"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>\
        </uniquenessConstraints>
        </entity>
        <entity name="Article" representedClassName="Article" syncable="YES">
            <attribute name="author" optional="YES" attributeType="String"/>
            <attribute name="content" optional="YES" attributeType="String"/>
            <attribute name="guid" optional="YES" attributeType="String"/>
            <attribute name="published" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="tags" optional="YES" attributeType="String"/>
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="url" optional="YES" attributeType="URI"/>
        </entity>
        </model>
        """
}
