import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite(
    "Stores made by Apple's framework, read",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct ReadingTests {
    @Test(
        "every object, attribute and relationship is what plain SQL reads (STO-01, STO-16)",
        arguments: FixtureStore.withEachModel)
    func everythingAgreesWithSQL(_ fixture: FixtureStore) throws {
        let open = try fixture.open()
        let raw = try RawStore(fixture.copy(), open.model)
        var objectCount = 0
        for entity in open.model.entities {
            let name = try #require(entity.name)
            let family = try raw.family(entity).map(String.init).joined(separator: ",")
            let expected = try raw.integers(
                "SELECT Z_PK FROM \(RawStore.table(entity)) WHERE Z_ENT IN (\(family)) ORDER BY Z_PK")
            #expect(try open.fetch(name).map(\.key).sorted() == expected, "\(name)")
            #expect(try open.context.count(for: NSFetchRequest<NSManagedObject>(entityName: name)) == expected.count)
            let own = try open.fetch(name, includesSubentities: false)
            let rows = try raw.rows(entity)
            #expect(Set(own.map(\.key)) == Set(rows.keys))
            objectCount += own.count
            try compare(own, with: rows, entity, raw)
            try compareToMany(own, entity, raw)
        }
        let total = try open.model.entities.filter { $0.superentity == nil }.map {
            try raw.integers("SELECT count(*) FROM \(RawStore.table($0))")[0]
        }
        #expect(objectCount == Int(total.reduce(0, +)))
        let unexpected = open.reports.filter { !"\($0)".contains("No value transformer named") }
        #expect(unexpected.isEmpty, "\(unexpected)")
        let hasHistory = try raw.connection.catalog().table("ATRANSACTION") != nil
        #expect(
            open.store.problems.count == (raw.hasRenamedEntity ? 1 : 0) + (hasHistory ? 1 : 0),
            "\(open.store.problems)")
        #expect(open.store.isReadOnly == hasHistory)
    }

    private func compare(
        _ objects: [NSManagedObject], with rows: [Int64: [String: Value]], _ entity: NSEntityDescription,
        _ raw: RawStore
    ) throws {
        for object in objects {
            let row = try #require(rows[object.key])
            #expect(object.entity.name == entity.name)
            for (name, attribute) in entity.attributesByName where !attribute.isTransient {
                let value = try #require(row[RawStore.column(name)], "\(entity.name ?? "").\(name)")
                let found = object.value(forKey: name)
                #expect(
                    Self.agree(found, value, attribute), "\(entity.name ?? "").\(name): \(found ?? "nil"), \(value)")
            }
            for (name, relationship) in entity.relationshipsByName where !relationship.isToMany {
                let target = object.value(forKey: name) as? NSManagedObject
                #expect(target?.key == row[RawStore.column(name)]?.integer, "\(entity.name ?? "").\(name)")
                guard let target, let destination = relationship.destinationEntity else { continue }
                let number = try raw.integers(
                    "SELECT Z_ENT FROM \(RawStore.table(destination)) WHERE Z_PK = \(target.key)")
                #expect(target.entity.name == number.first.flatMap { raw.names[$0] })
                try expectInverse(relationship, target, contains: object)
            }
        }
    }

    private func compareToMany(
        _ objects: [NSManagedObject], _ entity: NSEntityDescription, _ raw: RawStore
    ) throws {
        for (name, relationship) in entity.relationshipsByName where relationship.isToMany {
            let expected = try raw.members(relationship)
            for object in objects {
                let members = object.members(name)
                let keys = expected[object.key] ?? []
                if relationship.isOrdered {
                    #expect(members.map(\.key) == keys, "\(entity.name ?? "").\(name)")
                } else {
                    #expect(members.map(\.key).sorted() == keys.sorted(), "\(entity.name ?? "").\(name)")
                }
                for member in members { try expectInverse(relationship, member, contains: object) }
            }
        }
    }

    private func expectInverse(
        _ relationship: NSRelationshipDescription, _ target: NSManagedObject, contains object: NSManagedObject
    ) throws {
        let inverse = try #require(relationship.inverseRelationship)
        let back =
            inverse.isToMany
            ? (target.value(forKey: inverse.name) as? NSSet)?.contains(object)
                ?? (target.value(forKey: inverse.name) as? NSOrderedSet)?.contains(object)
            : (target.value(forKey: inverse.name) as? NSManagedObject) === object
        #expect(back == true, "\(relationship.name) of \(object.objectID)")
    }

    private static func agree(_ found: Any?, _ stored: Value, _ attribute: NSAttributeDescription) -> Bool {
        if stored == .null { return found == nil }
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return (found as? NSNumber)?.int64Value == stored.integer
        case .booleanAttributeType: return (found as? NSNumber)?.boolValue == (stored.integer != 0)
        case .doubleAttributeType, .floatAttributeType: return (found as? NSNumber)?.doubleValue == stored.double
        case .dateAttributeType: return (found as? Date)?.timeIntervalSinceReferenceDate == stored.double
        case .decimalAttributeType:
            // Fifteen digits are what a column of this kind keeps.
            return (found as? NSDecimalNumber)?.stringValue
                == stored.double.map { Decimal(string: String(format: "%.15g", $0))?.description }
        case .stringAttributeType: return found as? String == stored.text
        case .URIAttributeType: return (found as? URL)?.absoluteString == stored.text
        case .UUIDAttributeType:
            guard let uuid = (found as? UUID)?.uuid else { return false }
            return withUnsafeBytes(of: uuid) { Array($0) } == stored.blob
        case .binaryDataAttributeType:
            let bytes = (found as? Data).map { [UInt8]($0) }
            return attribute.allowsExternalBinaryDataStorage
                ? bytes == (stored.blob?.dropFirst()).map(Array.init) : bytes == stored.blob
        case .transformableAttributeType:
            // Decoded by the default archive, or nil and reported where the transformer is the program's own.
            return stored.blob != nil && (found != nil || attribute.valueTransformerName?.isEmpty == false)
        default: return false
        }
    }

    @Test("sums over columns agree with SQL (STO-01)", arguments: FixtureStore.eachOnce)
    func sumsAgreeWithSQL(_ fixture: FixtureStore) throws {
        let numeric: [NSAttributeType] = [
            .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
        ]
        let open = try fixture.open()
        let raw = try RawStore(fixture.copy(), open.model)
        for entity in open.model.entities where entity.superentity == nil {
            let objects = try open.fetch(try #require(entity.name))
            for (name, attribute) in entity.attributesByName
            where numeric.contains(attribute.attributeType) && !attribute.isTransient {
                let sum = objects.compactMap { ($0.value(forKey: name) as? NSNumber)?.doubleValue }.reduce(0, +)
                let expected = try raw.connection.value(
                    "SELECT total(\(RawStore.column(name))) FROM \(RawStore.table(entity))")
                #expect(abs(sum - (expected?.double ?? .nan)) <= abs(sum) * 1e-9)
            }
        }
    }

    @Test("values looked up by hand (STO-01)")
    func valuesLookedUpByHand() throws {
        let cars = try FixtureStore.named("SampleModel_V1.sqlite").open()
        #expect(try cars.fetch("Car").count == 125)
        #expect(try cars.fetch("Person").count == 20)
        let panda = try #require(try cars.fetch("Car").first { $0.key == 1 })
        #expect(panda.value(forKey: "maker") as? String == "FIAT")
        #expect(panda.value(forKey: "numberPlate") as? String == "170")
        #expect((panda.value(forKey: "owner") as? NSManagedObject)?.key == 17)
        let victoria = try #require(try cars.fetch("Person").first { $0.key == 1 })
        #expect(victoria.value(forKey: "firstName") as? String == "Victoria")
        #expect(victoria.value(forKey: "id") as? UUID == UUID(uuidString: "FEFE4176-912D-429F-9C83-662FFF641115"))
        #expect((victoria.value(forKey: "updatedAt") as? Date)?.timeIntervalSinceReferenceDate == 639503569.638733)

        let books = try FixtureStore.named("SampleModel2_V1.sqlite").open()
        #expect(try books.fetch("Page").count == 4970)
        #expect(try books.fetch("Feedback").count == 444)
        let prices = try books.fetch("Book").compactMap { ($0.value(forKey: "price") as? NSDecimalNumber)?.doubleValue }
        #expect(abs(prices.reduce(0, +) - 512.1666666666) < 1e-9)
        let first = try #require(try books.fetch("Book").first { $0.key == 1 })
        #expect(first.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "10.11"))
        #expect(first.value(forKey: "title") as? String == "title 2 - author 2")

        let server = try FixtureStore.named("XCServerCoreData_1.2.0.sqlite").open()
        let integrations = try server.fetch("Integration")
        #expect(integrations.count == 24)
        #expect(integrations.compactMap { ($0.value(forKey: "number") as? NSNumber)?.intValue }.reduce(0, +) == 277)
    }

    @Test("rows that only the write-ahead log has are seen (STO-01)")
    func rowsOfTheLogAreSeen() throws {
        let fixture = try FixtureStore.named("Bookmarks_V5.sqlite")
        let url = try fixture.copy()
        let model = try fixture.model(at: url)
        #expect(try OpenStore(url, model: model).fetch("BookmarkEntity").count == 10)

        let alone = try fixture.copy()
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: alone.path + suffix) }
        let without = (try? OpenStore(alone, model: model).fetch("BookmarkEntity").count) ?? 0
        #expect(without < 10)
    }

    @Test("ordered members come in the order of their places (STO-15)")
    func orderedMembersComeInOrder() throws {
        let open = try FixtureStore.named("Bookmarks_V5.sqlite").open()
        let entities = try open.fetch("BookmarkEntity")
        let root = try #require(entities.first { $0.key == 8 })
        #expect(root.members("children").map(\.key) == [5, 10, 4, 1, 3])
        let favorites = try #require(entities.first { $0.key == 6 })
        #expect(favorites.members("favorites").map(\.key) == [3, 1, 9, 2, 10])
        #expect(favorites.value(forKey: "favorites") is NSOrderedSet)
    }

    @Test("a transformable attribute without its transformer is nil and reported; the object loads (HAZ-28)")
    func transformableWithoutTransformerIsReported() throws {
        let open = try FixtureStore.named("Model1.sqlite").open()
        let book = try #require(try open.fetch("Book").first { $0.key == 9 })
        #expect(book.value(forKey: "fileURL") as? String == "The Trial.file")

        let cars = try FixtureStore.named("SampleModel_V1.sqlite").open()
        let raw = try RawStore(FixtureStore.named("SampleModel_V1.sqlite").copy(), cars.model)
        let colored = Set(try raw.integers("SELECT Z_PK FROM ZCAR WHERE ZCOLOR NOT NULL"))
        for car in try cars.fetch("Car") {
            cars.forgetReports()
            #expect(car.value(forKey: "color") == nil)
            #expect(cars.reports.count == (colored.contains(car.key) ? 1 : 0))
            #expect(car.value(forKey: "maker") != nil)
        }
    }

    @Test(
        "reading changes no byte of the file and of its log (STO-29)", arguments: FixtureStore.eachOnce, [false, true])
    func readingChangesNothing(_ fixture: FixtureStore, leavesNoTrace: Bool) throws {
        let url = try fixture.copy()
        let before = try Footprint(url)
        var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        if leavesNoTrace { options[SQLiteStoreLeavesNoTraceOption] = true }
        let open = try OpenStore(url, model: fixture.model(at: url), options)
        #expect(open.store.isReadOnly)
        var victim: NSManagedObject?
        for entity in open.model.entities {
            let objects = try open.fetch(try #require(entity.name))
            victim = victim ?? objects.first
            for object in objects { for name in entity.relationshipsByName.keys { _ = object.value(forKey: name) } }
        }
        if let victim {
            open.context.delete(victim)
            expectError(134030) { try open.context.save() }
        }
        try open.close()
        let after = try Footprint(url)
        #expect(after.contents == before.contents)
        if leavesNoTrace { #expect(after.names == before.names) }
    }

    @Test(
        "a store opened with another model is refused, its entities named, and left as it was (STO-11)",
        arguments: FixtureStore.eachOnce)
    func wrongModelIsRefused(_ fixture: FixtureStore) throws {
        let url = try fixture.copy()
        let before = try Footprint(url)
        let other = try NSManagedObjectModel(
            reading: Fixtures.url(
                "stores/coredataplus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld/SampleModel3.xcdatamodel"))
        let error = try #require(throws: (any Error).self) { try OpenStore(url, model: other) } as NSError
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == 134100)
        #expect(
            error.userInfo["reason"] as? String
                == "The model used to open the store is incompatible with the one used to create the store")
        let metadata = try #require(error.userInfo["metadata"] as? [String: Any])
        #expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.isEmpty == false)
        let named = try #require(error.userInfo["entities"] as? [String])
        #expect(!named.isEmpty)
        #expect(named.prefix(20).allSatisfy { error.localizedDescription.contains($0) })
        #expect(!error.localizedDescription.contains("\n"))
        let after = try Footprint(url)
        #expect(after.contents == before.contents)
        #expect(after.names.subtracting(before.names).isEmpty)
    }

    @Test(
        "stores of 2009 open with their models in the form before Xcode 4 (MOD-02, STO-01)",
        arguments: [
            (
                "apple-coredatabooks/CoreDataBooks/CoreDataBooks.xcdatamodeld/CoreDataBooks.xcdatamodel",
                "apple-coredatabooks/CoreDataBooks/CoreDataBooks.CDBStore"
            ),
            (
                "magicalrecord-recipes/Samples/iOS/Application/Models/Recipes.xcdatamodeld/Recipes 2.xcdatamodel",
                "magicalrecord-recipes/Samples/iOS/Resources/RecipeData/Recipes.sqlite"
            ),
        ])
    func oldStoresOpenWithTheirModels(_ path: String, _ store: String) throws {
        let model = try NSManagedObjectModel(reading: Fixtures.url("stores/" + path))
        let url = try Fixtures.copyOfStore("stores/" + store)
        let open = try OpenStore(url, model: model)
        let raw = try RawStore(url, model)
        var count = 0
        for entity in model.entities {
            let rows = try raw.rows(entity)
            let objects = try open.fetch(entity.name ?? "", includesSubentities: false)
            #expect(Set(objects.map(\.key)) == Set(rows.keys))
            count += objects.count
            try compare(objects, with: rows, entity, raw)
        }
        #expect(count > 0)
    }

    @Test(
        "stores of 2009 give their metadata, and say that they carry no model (STO-12)",
        arguments: [
            "apple-coredatabooks/CoreDataBooks/CoreDataBooks.CDBStore",
            "magicalrecord-recipes/Samples/iOS/Resources/RecipeData/Recipes.sqlite",
        ])
    func oldStoresGiveTheirMetadata(_ path: String) throws {
        let url = try Fixtures.copyOfStore("stores/" + path)
        let before = try Footprint(url)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        let version = try #require(metadata["NSPersistenceFrameworkVersion"] as? NSNumber)
        #expect([230, 241].contains(version.intValue))
        #expect(try StoreFile.cachedModel(at: url) == nil)
        #expect(try Footprint(url) == before)
    }
}
