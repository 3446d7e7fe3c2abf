import CoreData
import Testing

/// An empty store with delete rules of all kinds, a unique key, and properties that cannot be set.
struct Club {
    let folder: URL
    let store: URL
    let package: URL
    let uuid: String

    init() throws {
        folder = try Scratch.folder()
        store = folder.appendingPathComponent("Club.sqlite")
        package = folder.appendingPathComponent("Club.xcdatamodel")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        try Data(Self.source.utf8).write(to: package.appendingPathComponent("contents"))
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(source: Data(Self.source.utf8)))
        let made = try coordinator.addPersistentStore(type: .sqlite, at: store)
        uuid = made.identifier ?? ""
        try coordinator.remove(made)
    }

    /// A club with a team of three members and one game, and a team without either.
    static func filled() throws -> Club {
        let club = try Club()
        let outcome = try club.run(
            "insert", "--json",
            """
            [{"objectID": "a", "entity": "Team", "attributes": {"title": "A"}},
             {"objectID": "b", "entity": "Team", "attributes": {"title": "B"}},
             {"entity": "Member", "attributes": {"name": "Ann", "code": "1"}, "relationships": {"team": "a"}},
             {"entity": "Member", "attributes": {"name": "Bob", "code": "2", "level": 3}, "relationships": {"team": "a"}},
             {"entity": "Member", "attributes": {"name": "Cid", "code": "3", "level": 5}, "relationships": {"team": "a"}},
             {"entity": "Game", "attributes": {"title": "Final"}, "relationships": {"team": "a"}}]
            """)
        try #require(outcome.code == 0, "\(outcome.errors)")
        return club
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs a command on the store.
    func run(_ command: String, _ arguments: String..., input: String = "") throws -> Tool.Outcome {
        try Tool.run([command, store.path, "--model", package.path] + arguments, input: input)
    }

    /// The attributes or relationships of all objects of an entity, by a key.
    func values(_ entity: String, of group: String = "attributes") throws -> [[String: Any]] {
        let objects: [[String: Any]] = try run("fetch", entity, "--format", "json").json()
        return objects.compactMap { $0[group] as? [String: Any] }
    }

    /// A number that plain SQL counts, in a file that is whole.
    func sql(_ question: String) throws -> String? { try Database.text(store, question) }

    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Game" representedClassName="Game" syncable="YES">
        <attribute name="title" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Team" inverseName="games" inverseEntity="Team"/>
        </entity>
        <entity name="Member" representedClassName="Member" parentEntity="Person" syncable="YES">
        <attribute name="joined" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="level" attributeType="Integer 16" minValueString="0" maxValueString="9" defaultValueString="1" usesScalarValueType="YES"/>
        <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
        <attribute name="unsaved" optional="YES" transient="YES" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Team" inverseName="members" inverseEntity="Team"/>
        </entity>
        <entity name="Person" representedClassName="Person" isAbstract="YES" syncable="YES">
        <attribute name="code" optional="YES" attributeType="String"/>
        <attribute name="name" attributeType="String" maxValueString="20"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Team" representedClassName="Team" syncable="YES">
        <attribute name="size" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="members.@count" usesScalarValueType="YES"/>
        <attribute name="title" attributeType="String"/>
        <relationship name="games" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="Game" inverseName="team" inverseEntity="Game"/>
        <relationship name="members" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Member" inverseName="team" inverseEntity="Member"/>
        </entity>
        </model>
        """
}
