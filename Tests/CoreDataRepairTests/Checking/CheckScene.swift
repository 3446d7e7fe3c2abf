import CoreData
import CoreDataRepair
import SQLiteKit
import TestBasics
import Testing

/// A sound store with every kind of relationship and value that a check looks at, to be damaged behind the library's back.
final class CheckScene {
    let folder: TemporaryFolder
    let url: URL

    /// A store; with `history`, one that records its changes.
    init(history: Bool = false) throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("People.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model())
        let store = try coordinator.addPersistentStore(
            type: .sqlite, at: url, options: history ? [NSPersistentHistoryTrackingKey: true] : [:])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try Self.fill(context) }
        try coordinator.remove(store)
    }

    static func model() throws -> NSManagedObjectModel { try NSManagedObjectModel(source: Data(source.utf8)) }

    var externalFolder: URL { folder.url.appendingPathComponent(".People_SUPPORT/_EXTERNAL_DATA") }

    var externalFiles: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: externalFolder.path).sorted() }
    }

    /// Runs statements on the file, with what protects a schema switched off.
    func tamper(_ statements: String...) throws {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        try connection.configure(.defensive, false)
        for statement in statements { try connection.execute(statement) }
    }

    func value(_ question: String) throws -> Value? {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        return try connection.value(question)
    }

    func check() throws -> StoreCheckReport { try StoreCheck(url).run() }

    /// Four people in keys 1 to 4, of whom the fourth is an employee; three passports; two teams; two groups.
    static func fill(_ context: NSManagedObjectContext) throws {
        func insert(_ entity: String, _ values: [String: Any]) throws -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            // One save each, so that keys follow the order.
            try context.save()
            return object
        }
        let people = try ["Ann", "Bob", "Cid", "Dee"].enumerated().map { index, name in
            try insert(
                index == 3 ? "Employee" : "Person",
                [
                    "name": name, "code": "c\(index)", "age": 20 + index,
                    "born": Date(timeIntervalSinceReferenceDate: 5),
                    "uid": UUID(), "weight": 1.5, "wage": NSDecimalNumber(string: "12.25"),
                    "photo": Data(repeating: UInt8(index), count: index == 0 ? 200_000 : 20),
                ])
        }
        for (index, person) in people.prefix(3).enumerated() {
            _ = try insert("Passport", ["number": "n\(index)", "owner": person])
        }
        let teams = try ["Red", "Blue"].map { try insert("Team", ["title": $0]) }
        teams[0].setValue(NSOrderedSet(array: [people[2], people[0], people[3]]), forKey: "members")
        teams[0].setValue(people[3], forKey: "boss")
        teams[1].setValue(NSSet(object: people[1]), forKey: "guests")
        let groups = try ["g1", "g2"].map { try insert("Group", ["label": $0]) }
        groups[0].setValue(NSSet(array: Array(people.prefix(3))), forKey: "people")
        groups[1].setValue(NSSet(array: [people[0]]), forKey: "people")
        people[0].setValue(NSSet(array: [people[1]]), forKey: "friends")
        try context.save()
    }

    static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Employee" representedClassName="Employee" parentEntity="Person" syncable="YES">
        <attribute name="salary" optional="YES" attributeType="Integer 64" usesScalarValueType="NO"/>
        <relationship name="leads" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Team" inverseName="boss" inverseEntity="Team"/>
        </entity>
        <entity name="Group" representedClassName="Group" syncable="YES">
        <attribute name="label" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="groups" inverseEntity="Person"/>
        </entity>
        <entity name="Passport" representedClassName="Passport" syncable="YES">
        <attribute name="number" optional="YES" attributeType="String"/>
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="passport" inverseEntity="Person"/>
        </entity>
        <entity name="Person" representedClassName="Person" syncable="YES">
        <attribute name="age" attributeType="Integer 16" defaultValueString="18" usesScalarValueType="YES"/>
        <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="code" optional="YES" attributeType="String"/>
        <attribute name="name" attributeType="String"/>
        <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="uid" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
        <attribute name="wage" optional="YES" attributeType="Decimal"/>
        <attribute name="weight" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
        <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
        <relationship name="groups" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Group" inverseName="people" inverseEntity="Group"/>
        <relationship name="passport" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Passport" inverseName="owner" inverseEntity="Passport"/>
        <relationship name="team" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Team" inverseName="members" inverseEntity="Team"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Team" representedClassName="Team" syncable="YES">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="boss" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Employee" inverseName="leads" inverseEntity="Employee"/>
        <relationship name="guests" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person"/>
        <relationship name="members" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="team" inverseEntity="Person"/>
        </entity>
        </model>
        """
}
