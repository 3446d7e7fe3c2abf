import CoreData
import CoreDataExchange
import CoreDataRepair
import CoreDataWorkbench
import SQLiteKit
import TestBasics

/// A store with every kind of property and rule that an import has to mind, and random records for it, some of them bad.
struct Depot {
    let folder: TemporaryFolder
    let store: URL
    private let model: URL

    /// A new store; objects of one whose import `needsObjects` cannot be rows, and all else is the same.
    init(needsObjects: Bool, history: Bool = false) throws {
        folder = try TemporaryFolder()
        store = folder.url.appendingPathComponent("Depot.sqlite")
        model = folder.url.appendingPathComponent("Depot.xcdatamodel")
        let source = Self.source(needsObjects: needsObjects)
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: model.appendingPathComponent("contents"))
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(source: Data(source.utf8)))
        let made = try coordinator.addPersistentStore(
            type: .sqlite, at: store, options: history ? [NSPersistentHistoryTrackingKey: true] : [:])
        try coordinator.remove(made)
    }

    /// What came of an import.
    struct Outcome: Equatable {
        var counts: ImportReport.Counts
        var isSaved: Bool
        var refusals: [String]
    }

    /// Imports lines of JSON, and passes over those that are refused.
    func take(_ lines: [String], match: MatchRule? = nil, mode: EditMode = .save) throws -> Outcome {
        let file = folder.url.appendingPathComponent("in-\(UUID().uuidString).jsonl")
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        var request = ImportRequest(files: [file.path])
        request.match = match
        request.mode = mode
        request.passesOverRefused = true
        let open = try OpenStore(at: store, model: model, for: .importing)
        defer { open.close() }
        var refusals: [String] = []
        let report = try StoreImport(request).run(
            in: open, refused: { refusals.append("\($0.line): \($0.reason)") })
        return Outcome(counts: report.total, isSaved: report.isSaved, refusals: refusals.sorted())
    }

    /// The objects of the store, each named by its code in place of its address.
    func objects() throws -> [String] {
        let open = try OpenStore(at: store, model: model, for: .exporting)
        defer { open.close() }
        var bytes: [UInt8] = []
        var failures: [String] = []
        _ = try StoreExport(open).write(
            as: .jsonLines, failures: { failures.append("\($0) \($1)") }, to: { bytes += $0 })
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        var names: [Substring: Substring] = [:]
        for line in lines {
            guard let address = line.firstMatch(of: /"objectID":"([^"]+)"/)?.output.1,
                let code = line.firstMatch(of: /"code":"([^"]*)"/)?.output.1
            else { continue }
            names[address] = code
        }
        // Members of an unordered relationship stand in the order of their keys.
        return failures
            + lines.map { line in
                line.replacing(/"(x-coredata:[^"]+)"/) { "\"\(names[$0.output.1] ?? "?")\"" }
                    .replacing(/"likes":\[([^\]]*)\]/) { list in
                        "likes " + list.output.1.split(separator: ",").sorted().joined(separator: ",")
                    }
            }.sorted()
    }

    /// The values that the store made itself, by the codes of their shelves.
    func derived() throws -> [String] {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(
                source: Data(contentsOf: model.appendingPathComponent("contents"))))
        let opened = try coordinator.addPersistentStore(type: .sqlite, at: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let values = try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).map { shelf in
                "\(shelf.value(forKey: "code") ?? "") \(shelf.value(forKey: "size") ?? "nil") "
                    + "\((shelf.value(forKey: "items") as? NSSet)?.count ?? -1)"
            }
        }
        try coordinator.remove(opened)
        return values.sorted()
    }

    /// What a check finds wrong with the store.
    func findings() throws -> [String] { try StoreCheck(store, model: model).run().findings.listed.map { "\($0)" } }

    /// The version of every row, and the records of the greatest keys.
    func versions() throws -> [String] {
        let connection = try Connection.open(store.path)
        defer { connection.close() }
        return try ["ZITEM", "ZSHELF", "ZNOTE", "ZBOX"].flatMap { table in
            try connection.rows("SELECT '\(table)', Z_PK, Z_OPT, Z_ENT FROM \(table)").map { "\($0)" }
        } + connection.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY").map { "\($0)" }
    }

    /// A rule that every object keeps, and whose look at a relationship is one that no row could have.
    private static func rule(on relationship: String, _ isWanted: Bool) -> String {
        guard isWanted else { return "" }
        let text = "\(relationship).@count &gt;= 0"
        return "<userInfo><entry key=\"validationPredicate\" value=\"\(text)\"/></userInfo>"
    }

    private static func source(needsObjects: Bool) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Box" representedClassName="Box" syncable="YES">
        <attribute name="code" attributeType="String"/>
        <relationship name="contents" optional="YES" toMany="YES" maxCount="3" deletionRule="Nullify" destinationEntity="Item" inverseName="box" inverseEntity="Item"/>
        \(rule(on: "contents", needsObjects))
        </entity>
        <entity name="Item" representedClassName="Item" syncable="YES">
        <attribute name="code" attributeType="String" minValueString="2" maxValueString="12"/>
        <attribute name="count" optional="YES" attributeType="Integer 16" minValueString="0" defaultValueString="3" usesScalarValueType="YES"/>
        <attribute name="flag" attributeType="Boolean" usesScalarValueType="YES"/>
        <attribute name="image" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="link" optional="YES" attributeType="URI"/>
        <attribute name="made" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
        <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="1.5"/>
        <attribute name="shade" optional="YES" attributeType="Float" usesScalarValueType="YES"/>
        <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
        <attribute name="token" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
        <attribute name="weight" optional="YES" attributeType="Double" maxValueString="1000" usesScalarValueType="YES"/>
        <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Box" inverseName="contents" inverseEntity="Box"/>
        <relationship name="likedBy" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item" inverseName="likes" inverseEntity="Item"/>
        <relationship name="likes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item" inverseName="likedBy" inverseEntity="Item"/>
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Note" inverseName="item" inverseEntity="Note"/>
        <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item" inverseName="parts" inverseEntity="Item"/>
        <relationship name="parts" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item" inverseName="parent" inverseEntity="Item"/>
        <relationship name="shelf" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" inverseName="items" inverseEntity="Shelf"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
        \(rule(on: "parts", needsObjects))
        </entity>
        <entity name="Note" representedClassName="Note" syncable="YES">
        <attribute name="code" attributeType="String"/>
        <relationship name="item" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item" inverseName="notes" inverseEntity="Item"/>
        </entity>
        <entity name="Shelf" representedClassName="Shelf" syncable="YES">
        <attribute name="code" attributeType="String"/>
        <attribute name="size" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="items.@count" usesScalarValueType="YES"/>
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Item" inverseName="shelf" inverseEntity="Item"/>
        <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" inverseName="previous" inverseEntity="Shelf"/>
        <relationship name="previous" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" inverseName="next" inverseEntity="Shelf"/>
        \(rule(on: "items", needsObjects))
        </entity>
        <entity name="Tool" representedClassName="Tool" parentEntity="Item" syncable="YES">
        <attribute name="sharpness" attributeType="Integer 32" maxValueString="100" usesScalarValueType="YES"/>
        </entity>
        <composite name="Place"><attribute name="room" optional="YES" attributeType="String"/><attribute name="height" optional="YES" attributeType="Double"/></composite>
        </model>
        """
    }
}
