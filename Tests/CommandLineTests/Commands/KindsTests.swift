import CoreData
import TestBasics
import Testing

@Suite struct KindsTests {
    /// A store with people who have an address, a telephone number and a place, in a folder of the test's own.
    private static func store(in folder: TemporaryFolder) throws -> URL {
        func attribute(_ name: String, _ type: NSAttributeType, _ info: [String: String] = [:])
            -> NSAttributeDescription
        {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            if !info.isEmpty { attribute.userInfo = info }
            return attribute
        }
        let entity = NSEntityDescription()
        entity.name = "Person"
        entity.properties = [
            attribute("email", .stringAttributeType), attribute("name", .stringAttributeType),
            attribute("latitude", .doubleAttributeType), attribute("longitude", .doubleAttributeType),
            attribute("worked", .integer32AttributeType, ["valueKind": "duration", "valueKind.unit": "minutes"]),
            attribute("made", .dateAttributeType, ["valueKind": "colour"]),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let url = folder.url.appendingPathComponent("People.sqlite")
        let container = NSPersistentContainer(name: "People", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let person = NSManagedObject(entity: entity, insertInto: context)
            person.setValuesForKeys([
                "email": "ann@example.org", "name": "Ann", "latitude": 52.5, "longitude": 13.4, "worked": 95,
            ])
            try context.save()
        }
        return url
    }

    @Test(
        "the attributes of a store are listed with their kinds, and what the model names wrongly is a warning (BRW-39)")
    func attributesAreListedWithKinds() throws {
        let folder = try TemporaryFolder()
        let url = try Self.store(in: folder)
        let before = try FolderState(around: url)
        let table = try Tool.run(["kinds", url.path])
        #expect(table.code == 0)
        let lines = table.output.split(separator: "\n").dropFirst(2).map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(
            lines == [
                "Person email mailAddress guess ann@example.org",
                "Person latitude, longitude place guess 52.50000° N, 13.40000° E",
                "Person worked duration model 1:35:00",
            ], "\(table.output)")
        #expect(table.errors.contains("made") && table.errors.contains("did you mean 'color'?"), "\(table.errors)")
        let rows: [[String: Any]] = try Tool.run(["kinds", url.path, "--format", "json", "--entity", "Person"]).json()
        #expect(rows.map { $0["kind"] as? String } == ["mailAddress", "place", "duration"])
        #expect((rows[0]["example"] as? [String: Any])?["link"] as? String == "mailto:ann@example.org")
        #expect(try FolderState(around: url) == before)
    }

    @Test("without a store the kinds are listed, and an unknown entity is refused (BRW-39)")
    func kindsAreListedWithoutStore() throws {
        let all = try Tool.run(["kinds"])
        for name in ["place", "mailAddress", "money", "markdown"] { #expect(all.output.contains(name)) }
        let folder = try TemporaryFolder()
        let refused = try Tool.run(["kinds", try Self.store(in: folder).path, "--entity", "Persons"])
        #expect(refused.code == 1 && refused.errors.contains("Person"), "\(refused.errors)")
    }
}
