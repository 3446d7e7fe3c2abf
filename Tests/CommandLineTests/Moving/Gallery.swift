import CoreData
import TestBasics
import Testing

/// A model with every type of attribute and every shape of relationship, and a store of it made by the test.
struct Gallery {
    let folder: TemporaryFolder
    let model: URL
    let store: URL

    init(filling: Bool = true) throws {
        folder = try TemporaryFolder()
        model = folder.url.appendingPathComponent("Gallery.xcdatamodel")
        store = folder.url.appendingPathComponent("Gallery.sqlite")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.source.utf8).write(to: model.appendingPathComponent("contents"))
        try Self.withContext(store, Self.source) { context in
            guard filling else { return }
            Self.fill(context)
            try context.save()
        }
    }

    func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// Runs the program with the model.
    func run(_ words: String..., input: String = "") throws -> Tool.Outcome {
        try Tool.run(words + ["--model", model.path], input: input)
    }

    /// Writes what a store exports, with the stores' identifiers taken out.
    func text(of store: URL, _ words: String...) throws -> String {
        let outcome = try Tool.run(["export", store.path, "--model", model.path] + words)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        return outcome.output.replacing(/x-coredata:\/\/[0-9A-F-]+\//, with: "")
    }

    /// The lines of an export, with objects called by code or name in place of their addresses.
    static func named(_ text: String) -> [String] {
        let lines = text.split(separator: "\n").map(String.init)
        var names: [String: String] = [:]
        for line in lines {
            guard let address = line.firstMatch(of: /"objectID":"([A-Za-z]+\/p\d+)"/)?.output.1,
                let name = line.firstMatch(of: /"(?:code|name)":"([^"]*)"/)?.output.1
            else { continue }
            names[String(address)] = String(name)
        }
        return lines.map { line in
            line.replacing(/[A-Z][a-z]+\/p\d+/) { names[String($0.output)] ?? "?" }
        }.sorted()
    }

    /// Runs a block with a context of a store, which is closed afterwards.
    static func withContext(
        _ url: URL, _ source: String = source, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(source: Data(source.utf8)))
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }

    /// Every end of every link of a store, with the objects called by name or code.
    func links(_ url: URL) throws -> [String] {
        var found: [String] = []
        try Self.withContext(url) { context in
            for entity in ["Room", "Work"] {
                for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) {
                    for (name, relationship) in object.entity.relationshipsByName {
                        let ends = Self.ends(object.value(forKey: name)).map(Self.name)
                        let shown: [String] = relationship.isOrdered ? ends : ends.sorted()
                        found.append("\(Self.name(of: object)) \(name) \(shown)")
                    }
                }
            }
        }
        return found.sorted()
    }

    private static func name(of object: NSManagedObject) -> String {
        let key = object.entity.name == "Room" ? "name" : "code"
        return object.value(forKey: key) as? String ?? ""
    }

    private static func ends(_ value: Any?) -> [NSManagedObject] {
        if let set = value as? NSOrderedSet { return set.array.compactMap { $0 as? NSManagedObject } }
        if let set = value as? NSSet { return set.allObjects.compactMap { $0 as? NSManagedObject } }
        return [value as? NSManagedObject].compactMap(\.self)
    }

    private static func fill(_ context: NSManagedObjectContext) {
        func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        let rooms = (1...3).map { insert("Room", ["name": "Room \($0)"]) }
        let works = (0..<6).map { number -> NSManagedObject in
            let work = insert(number % 2 == 0 ? "Work" : "Painting", values(number))
            work.setValue(rooms[number % 3], forKey: "room")
            return work
        }
        let empty = insert("Work", ["code": "W9"])
        // Circles: of one object, of two, and over an ordered relationship.
        works[0].setValue(works[0], forKey: "original")
        works[1].setValue(works[2], forKey: "original")
        works[2].setValue(works[1], forKey: "original")
        empty.setValue(works[5], forKey: "original")
        for (number, room) in rooms.enumerated() {
            room.setValue(NSOrderedSet(array: [works[5 - number], works[number]]), forKey: "tour")
            room.setValue(rooms[(number + 1) % 3], forKey: "next")
        }
        works[3].setValue(NSSet(array: [works[4], works[5], empty]), forKey: "similar")
    }

    /// Values of every type that are hard to keep.
    private static func values(_ number: Int) -> [String: Any] {
        let titles: [String] = ["", "a\nb\"c\"", "tab\t, \u{1}", "é😀\u{2028}", "=1+1", " x "]
        let reals: [Double] = [
            0.1, -0.0, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude, 123_456_789.123456789, -1.5,
        ]
        let seconds: [Double] = [0.1, 0.123456789012345, 730_900_800.000001, -1e11, 1e-9, 700_000_000.123456789]
        let place: [String: Any] = ["room": "r\(number)", "height": Double(number) / 3]
        let size = number == 5 ? 200_000 : number
        var values: [String: Any] = ["code": "W\(number)", "title": titles[number], "place": place]
        values["small"] = Int16.min + Int16(number)
        values["medium"] = Int32.max
        values["large"] = Int64.min + Int64(number)
        values["real"] = reals[number]
        values["single"] = Float(0.1) * Float(number)
        values["price"] = NSDecimalNumber(string: "12345678901.2345")
        values["isSold"] = number % 2 == 1
        values["made"] = Date(timeIntervalSinceReferenceDate: seconds[number])
        values["image"] = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        values["isbn"] = UUID(uuidString: "123E4567-E89B-12D3-A456-42661417400\(number)")
        values["link"] = URL(string: "https://example.org/\(number)?a=b%20c")
        values["tags"] = NSArray(array: ["a", number])
        return values
    }

    static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Painting" representedClassName="Painting" parentEntity="Work" syncable="YES">
        <attribute name="technique" optional="YES" attributeType="String"/>
        </entity>
        <entity name="Room" representedClassName="Room" syncable="YES">
        <attribute name="name" attributeType="String"/>
        <attribute name="size" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="works.@count" usesScalarValueType="YES"/>
        <relationship name="next" maxCount="1" deletionRule="Nullify" destinationEntity="Room" inverseName="previous" inverseEntity="Room"/>
        <relationship name="previous" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Room" inverseName="next" inverseEntity="Room"/>
        <relationship name="tour" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Work" inverseName="tours" inverseEntity="Work"/>
        <relationship name="works" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Work" inverseName="room" inverseEntity="Room"/>
        </entity>
        <entity name="Work" representedClassName="Work" syncable="YES">
        <attribute name="code" optional="YES" attributeType="String"/>
        <attribute name="image" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="isSold" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>
        <attribute name="isbn" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
        <attribute name="large" optional="YES" attributeType="Integer 64" usesScalarValueType="YES"/>
        <attribute name="link" optional="YES" attributeType="URI"/>
        <attribute name="made" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="medium" optional="YES" attributeType="Integer 32" usesScalarValueType="YES"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="real" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
        <attribute name="single" optional="YES" attributeType="Float" usesScalarValueType="YES"/>
        <attribute name="small" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
        <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
        <attribute name="title" optional="YES" attributeType="String" maxValueString="40"/>
        <relationship name="copies" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Work" inverseName="original" inverseEntity="Work"/>
        <relationship name="original" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Work" inverseName="copies" inverseEntity="Work"/>
        <relationship name="room" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Room" inverseName="works" inverseEntity="Room"/>
        <relationship name="similar" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Work" inverseName="likened" inverseEntity="Work"/>
        <relationship name="likened" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Work" inverseName="similar" inverseEntity="Work"/>
        <relationship name="tours" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Room" inverseName="tour" inverseEntity="Room"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <composite name="Place"><attribute name="room" optional="YES" attributeType="String"/><attribute name="height" optional="YES" attributeType="Double"/></composite>
        </model>
        """
}
