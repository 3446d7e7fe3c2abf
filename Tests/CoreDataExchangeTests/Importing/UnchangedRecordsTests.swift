import CoreData
import CoreDataExchange
import Synchronization
import TestBasics
import Testing

/// Of records that change nothing no objects are made.
@Suite("Importing what is there already")
struct UnchangedRecordsTests {
    /// An object that counts how many of its kind were read.
    final class Reading: NSManagedObject {
        static let count = Mutex(0)

        override func awakeFromFetch() {
            super.awakeFromFetch()
            Self.count.withLock { $0 += 1 }
        }
    }

    private static let mapping = """
        { at = items; entity = Reading; properties = {
          number = n; text = t; amount = a; day = d;
          station = { from = s; properties = { name = "."; }; }; }; }
        """
    private let folder: TemporaryFolder
    private let container: NSPersistentContainer

    init() throws {
        folder = try TemporaryFolder()
        container = NSPersistentContainer(name: "Readings", managedObjectModel: Self.model())
        let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Readings.sqlite"))
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    private static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        let (reading, station) = (NSEntityDescription(), NSEntityDescription())
        (reading.name, station.name) = ("Reading", "Station")
        reading.managedObjectClassName = NSStringFromClass(Reading.self)
        let (to, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (to.name, to.destinationEntity, to.isOptional, to.maxCount) = ("station", station, true, 1)
        (back.name, back.destinationEntity, back.isOptional, back.maxCount) = ("readings", reading, true, 0)
        (to.inverseRelationship, back.inverseRelationship) = (back, to)
        reading.properties = [
            attribute("number", .integer64AttributeType), attribute("text", .stringAttributeType),
            attribute("amount", .decimalAttributeType), attribute("day", .dateAttributeType), to,
        ]
        reading.uniquenessConstraints = [["number"]]
        station.properties = [attribute("name", .stringAttributeType), back]
        station.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [reading, station]
        return model
    }

    /// Imports records; returns what it did, and how many objects it read.
    private func take(_ records: [(n: Int, t: String, s: String)]) async throws -> (ImportSummary, Int) {
        let items = records.map { record in
            "{\"n\":\(record.n),\"t\":\"\(record.t)\",\"a\":\"\(record.n).25\",\"d\":\"2024-02-29T12:00:00Z\",\"s\":\"\(record.s)\"}"
        }
        let file = folder.url.appendingPathComponent("\(UUID().uuidString).json")
        try Data("{\"items\":[\(items.joined(separator: ","))]}".utf8).write(to: file)
        Reading.count.withLock { $0 = 0 }
        let mapping = try ImportMapping(propertyList: Data(Self.mapping.utf8))
        let summary = try await container.importObjects(from: file, mapping: mapping)
        return (summary, Reading.count.withLock { $0 })
    }

    private func text(of number: Int) throws -> [String] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Reading")
            request.predicate = NSPredicate(format: "number == %ld", number)
            return try context.fetch(request).map { object in
                let station = object.value(forKeyPath: "station.name") as? String
                return "\(object.value(forKey: "text") as? String ?? "") at \(station ?? "none")"
            }
        }
    }

    @Test("a second import of 3,000 records reads objects of those alone that differ, and counts all rightly (WEB-06)")
    func unchangedRecordsMakeNoObjects() async throws {
        let records = (0..<3000).map { (n: $0, t: "reading \($0 % 7)", s: "station \($0 % 50)") }
        let (first, _) = try await take(records)
        #expect(first.total.inserted == 3050)
        let (second, read) = try await take(records)
        #expect(second.total.inserted == 0 && second.total.updated == 0)
        #expect(read == 0)
        var changed = records
        changed[17].t = "another"
        changed[1017].t = "another"
        changed[2999].s = "station 3"
        let (third, few) = try await take(changed)
        #expect(third.total.inserted == 0 && third.total.updated == 3)
        // The second pass reads those again that lead elsewhere.
        #expect(few <= 6)
        let texts = try [17, 1017, 2999, 18].map(text)
        #expect(
            texts == [
                ["another at station 17"], ["another at station 17"], ["reading 3 at station 3"],
                ["reading 4 at station 18"],
            ])
    }

    @Test(
        "of records of one object the last has its way, whether it differs from the row or from the one before (WEB-06)"
    )
    func lastRecordOfOneObjectIsKept() async throws {
        _ = try await take([(1, "a", "x"), (2, "a", "x")])
        _ = try await take([(1, "a", "x"), (1, "b", "x"), (2, "b", "x"), (2, "a", "x")])
        #expect(try text(of: 1) == ["b at x"])
        #expect(try text(of: 2) == ["a at x"])
        // New ones between them change nothing of that.
        let (summary, _) = try await take([(1, "b", "x"), (3, "c", "y"), (2, "c", "y"), (3, "c", "x"), (1, "b", "x")])
        #expect(summary.total.inserted == 2)
        #expect(try [1, 2, 3].map(text) == [["b at x"], ["c at y"], ["c at x"]])
    }
}
