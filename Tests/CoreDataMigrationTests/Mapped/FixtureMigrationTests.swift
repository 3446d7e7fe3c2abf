import CoreData
import TestBasics
import Testing

/// Makes an author of each name, once, as the policy of objc.io's books does.
final class BookAuthorsPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let name = sInstance.value(forKey: "authorName") as? String,
            let book = manager.destinationInstances(
                forEntityMappingName: mapping.name, sourceInstances: [sInstance]
            ).first
        else { return }
        var authors = manager.userInfo?["authors"] as? [String: NSManagedObject] ?? [:]
        let author =
            authors[name]
            ?? NSEntityDescription.insertNewObject(forEntityName: "Author", into: manager.destinationContext)
        author.setValue(name, forKey: "name")
        authors[name] = author
        manager.userInfo = ["authors": authors]
        author.mutableSetValue(forKey: "books").add(book)
    }
}

/// Makes a file of a book's URL.
final class BookFilesPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let file = NSEntityDescription.insertNewObject(forEntityName: "File", into: manager.destinationContext)
        file.setValue(sInstance.value(forKey: "fileURL"), forKey: "fileURL")
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        file.setValue(made.first, forKey: "book")
    }
}

/// Cuts posts into sections of seven characters.
final class PostSectionsPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let post = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first
        var rest = (sInstance.value(forKey: "content") as? String ?? "")[...]
        var index = 0
        repeat {
            let section = NSEntityDescription.insertNewObject(
                forEntityName: "Section", into: manager.destinationContext)
            section.setValue(String(rest.prefix(7)), forKey: "body")
            section.setValue(index, forKey: "index")
            section.setValue(post, forKey: "post")
            rest = rest.dropFirst(7)
            index += 1
        } while !rest.isEmpty
    }
}

/// Makes a maker of each name, once, and relates the cars to them.
final class V2to3MakerPolicy: NSEntityMigrationPolicy {
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
        let source = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance])
            .first
        guard let name = source?.value(forKey: "maker") as? String else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Maker")
        request.predicate = NSPredicate(format: "name == %@", name)
        let maker =
            try manager.destinationContext.fetch(request).first
            ?? NSEntityDescription.insertNewObject(forEntityName: "Maker", into: manager.destinationContext)
        maker.setValue(name, forKey: "name")
        dInstance.setValue(maker, forKey: "createdBy")
    }
}

/// Makes a continent of each code, once.
final class Country5ToCountry6Policy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let code = sInstance.value(forKey: "isoContinent") as? Int, code != 0 else { return }
        let country = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        var continents = manager.userInfo?["continents"] as? [Int: NSManagedObject] ?? [:]
        let continent =
            continents[code]
            ?? NSEntityDescription.insertNewObject(forEntityName: "Continent", into: manager.destinationContext)
        continent.setValue(code, forKey: "numericISO3166Code")
        continents[code] = continent
        manager.userInfo = ["continents": continents]
        country.first?.setValue(continent, forKey: "continent")
    }
}

/// Turns texts of dates into dates.
final class IntegrationStringToDateMigrationPolicy: NSEntityMigrationPolicy {
    static func date(_ text: String) -> Date? {
        try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let dates = manager.destinationEntity(for: mapping)?.attributesByName.filter { $0.value.type == .date } ?? [:]
        for property in mapping.attributeMappings ?? [] where dates[property.name ?? ""] != nil {
            let value = sInstance.value(forKey: property.name ?? "")
            property.valueExpression = NSExpression(forConstantValue: (value as? String).flatMap(Self.date) ?? value)
        }
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
}

/// Projects with mapping models of their own, and stores that Apple's framework wrote.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct FixtureMigrationTests {
    init() {
        ObjectClassResolver.register(module: "CoreDataMigrationTests")
        PostSectionsPolicy.register(named: "CoreDataMigration_Example.Post2ToPost3MigrationPolicy")
    }

    private func model(_ path: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(reading: Fixtures.url(path))
    }

    private func mapping(_ path: String) throws -> NSMappingModel {
        try NSMappingModel(reading: Fixtures.url(path))
    }

    /// The stores of a migration from a fixture, whose copy stands where the source is to be.
    private func stores(_ store: String, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel) throws
        -> MappedStores
    {
        let stores = try MappedStores(old, new)
        let copy = try Fixtures.copyOfStore(store)
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: copy.path + suffix) {
            try FileManager.default.moveItem(atPath: copy.path + suffix, toPath: stores.source.path + suffix)
        }
        return stores
    }

    @Test("objc.io's books come from version 1 by its mapping models to 2 and to 3 (MIG-11, MIG-13, MIG-14)")
    func booksMigrate() throws {
        let models = try (1...3).map {
            try model(MigrationFixture.books + "/Model.xcdatamodeld/Model\($0).xcdatamodel")
        }
        let first = try stores(MigrationFixture.books + "/Model1.sqlite", models[0], models[1])
        BookAuthorsPolicy.register(named: "MHWBookToBookPolicy")
        try first.migrate(mapping(MigrationFixture.books + "/Model1_to_Model2.xcmappingmodel"))
        var files: [NSObject?] = []
        try first.read { context in
            let books = try MappedStores.all("Book", context, by: "title")
            #expect(
                books.map { $0.value(forKey: "title") as? String } == [
                    "Cosmos", "Extinction", "Metamorphosis", "The Trial",
                ])
            let authors = try MappedStores.all("Author", context, by: "name")
            #expect(
                authors.map { $0.value(forKey: "name") as? String } == [
                    "Franz Kafka", "Thomas Bernhard", "Witold Gombrowicz",
                ])
            #expect(authors[0].value(forKey: "books") as? NSSet == NSSet(array: [books[2], books[3]]))
            #expect(try MappedStores.all("User", context).count == 3)
            // The mapping model has nothing for the books' users, but for the users' books.
            #expect(books.allSatisfy { ($0.value(forKey: "users") as? NSSet)?.count == 1 })
            files = books.map { $0.value(forKey: "fileURL") as? NSObject }
            #expect(!files.contains(nil))
        }
        var second = try MappedStores(models[1], models[2])
        try FileManager.default.copyItem(at: first.destination, to: second.source)
        second.type = NSSQLiteStoreType
        BookFilesPolicy.register(named: "MHWBookToBookPolicy")
        NameFunctionsPolicy.register(named: "MHWUserToUserPolicy")
        try second.migrate(mapping(MigrationFixture.books + "/Model2_to_Model3.xcmappingmodel"))
        try second.read { context in
            let books = try MappedStores.all("Book", context, by: "title")
            #expect(books.count == 4)
            let urls = books.map { ($0.value(forKeyPath: "files.fileURL") as? NSSet)?.anyObject() as? NSObject }
            #expect(urls == files)
            #expect(
                try MappedStores.all("Author", context, by: "name").map { ($0.value(forKey: "books") as? NSSet)?.count }
                    == [2, 1, 1])
        }
    }

    @Test("the posts of a blog come by its mapping model and a policy to sections (MIG-13, MIG-14)")
    func postsMigrate() throws {
        let folder = "stores/wibosco-migration-example/CoreDataMigration-Example/CoreData"
        let base = folder + "/Model/CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example"
        let stores = try stores(
            "stores/wibosco-migration-example/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_2.sqlite",
            model(base + " 2.xcdatamodel"), model(base + " 3.xcdatamodel"))
        let context = try MappedStores.context(stores.old, stores.source)
        let before = try MappedStores.all("Post", context, by: "postID").map { post in
            ["postID", "date", "hexColor", "content"].map { post.value(forKey: $0) as? NSObject }
        }
        try MappedStores.close(context)
        #expect(before.count == 10)
        try stores.migrate(
            mapping(MigrationFixture.posts + "/Mappings/Migration2to3ModelMapping.xcmappingmodel"))
        try stores.read { context in
            let posts = try MappedStores.all("Post", context, by: "postID")
            #expect(posts.count == 10)
            for (post, old) in zip(posts, before) {
                #expect(
                    ["postID", "date", "hexColor"].map { post.value(forKey: $0) as? NSObject } == Array(old.prefix(3)))
                let sections = (post.value(forKey: "sections") as? NSSet)?.allObjects as? [NSManagedObject] ?? []
                let text = sections.sorted {
                    ($0.value(forKey: "index") as? Int ?? 0) < ($1.value(forKey: "index") as? Int ?? 0)
                }
                .compactMap { $0.value(forKey: "body") as? String }.joined()
                #expect(text as NSString? == old[3])
            }
        }
    }

    @Test(
        "cars and their makers come from version 2 to 3 by the mapping model that Apple compiled, and its source (MIG-11, MIG-14)"
    )
    func carsMigrate() throws {
        let base = MigrationFixture.coreDataPlus + "/SampleModel.xcdatamodeld/SampleModel"
        for path in ["/Fixtures/V2toV3.cdm", "/MappingModels/V2toV3.xcmappingmodel"] {
            let stores = try stores(
                MigrationFixture.coreDataPlus + "/Fixtures/SampleModel_V2.sqlite",
                model(base + "2.xcdatamodel"), model(base + "3.xcdatamodel"))
            let context = try MappedStores.context(stores.old, stores.source)
            let before = try MappedStores.all("Car", context, by: "numberPlate").map(Self.car)
            let owned = try MappedStores.all("Person", context).map { ($0.value(forKey: "cars") as? NSSet)?.count ?? 0 }
            let makers = Set(try MappedStores.all("Car", context).compactMap { $0.value(forKey: "maker") as? String })
            try MappedStores.close(context)
            try stores.migrate(mapping(MigrationFixture.coreDataPlus + path))
            try stores.read { context in
                let cars = try MappedStores.all("Car", context, by: "numberPlate")
                #expect(cars.count == 125 && cars.map(Self.car) == before)
                let people = try MappedStores.all("Person", context)
                #expect(people.count == 20)
                #expect(people.map { ($0.value(forKey: "cars") as? NSSet)?.count ?? 0 }.sorted() == owned.sorted())
                let made = try MappedStores.all("Maker", context).compactMap { $0.value(forKey: "name") as? String }
                #expect(made.sorted() == makers.sorted() && !made.isEmpty)
                for car in cars {
                    let owner = car.value(forKey: "owner") as? NSManagedObject
                    let former = car.value(forKey: "previousOwners") as? NSSet
                    #expect(former == owner.map { NSSet(object: $0) } ?? NSSet())
                }
            }
        }
    }

    private static func car(_ car: NSManagedObject) -> [NSObject?] {
        [
            car.entity.name as NSString?, car.value(forKey: "numberPlate") as? NSObject,
            car.value(forKey: "model") as? NSObject, car.value(forKeyPath: "owner.firstName") as? NSObject,
            car.entity.name == "LuxuryCar" ? car.value(forKey: "isLimitedEdition") as? NSObject : nil,
            car.value(forKey: "markedForDeletionAsOf") as? NSObject,
        ]
    }

    @Test("moods learn of their continent by a path through their country (MIG-11, MIG-12)")
    func moodsMigrate() throws {
        let base = MigrationFixture.moods + "/Moody.xcdatamodeld/Moody"
        let stores = try MappedStores(model(base + " 2.xcdatamodel"), model(base + " 3.xcdatamodel"))
        let date = Date(timeIntervalSinceReferenceDate: 7)
        try stores.fill { context in
            let continents = (1...2).map {
                MappedStores.insert(
                    "Continent", context, ["numericISO3166Code": 10_000 + $0, "uniquenessDummy": $0, "updatedAt": date])
            }
            let countries = (1...3).map { number in
                MappedStores.insert(
                    "Country", context,
                    [
                        "numericISO3166Code": number, "uniquenessDummy": 100 + number, "updatedAt": date,
                        "continent": number < 3 ? continents[number % 2] : nil,
                    ])
            }
            for number in 0..<7 {
                _ = MappedStores.insert(
                    "Mood", context,
                    [
                        "date": date, "rating": number, "latitude": 0.5, "longitude": -0.5,
                        "country": number == 6 ? nil : countries[number % 3],
                    ])
            }
            // The rules of a mood's country and continent ask for members, which not all have.
            context.validatesOnSave = false
        }
        let migrated = try mapping(MigrationFixture.moods + "/Moody 2-Moody 3.xcmappingmodel")
        for entity in stores.new.entities {
            for case let one as NSRelationshipDescription in entity.properties { one.isOptional = true }
        }
        // The new model says less, so its hashes are its own.
        for mapping in migrated.entityMappings { mapping.destinationEntityVersionHash = nil }
        try stores.migrate(migrated)
        try stores.read { context in
            let moods = try MappedStores.all("Mood", context, by: "rating")
            #expect(moods.count == 7 && moods.map { $0.value(forKey: "rating") as? Int } == Array(0..<7))
            for mood in moods {
                let country = mood.value(forKey: "country") as? NSManagedObject
                let continent = mood.value(forKey: "continent") as? NSManagedObject
                #expect(continent == country?.value(forKey: "continent") as? NSManagedObject)
            }
            #expect(moods.compactMap { $0.value(forKey: "continent") }.count == 4)
            let counts = try MappedStores.all("Continent", context).map { ($0.value(forKey: "moods") as? NSSet)?.count }
            #expect(counts == [2, 2])
        }
    }

    @Test("a code in each country becomes a continent that they share (MIG-13, MIG-14)")
    func countriesMigrate() throws {
        let base = MigrationFixture.moods + "/Moody.xcdatamodeld/Moody"
        let stores = try MappedStores(model(base + " 5.xcdatamodel"), model(base + " 6.xcdatamodel"))
        let date = Date(timeIntervalSinceReferenceDate: 7)
        try stores.fill { context in
            for number in 1...6 {
                let country = MappedStores.insert(
                    "Country", context,
                    [
                        "numericISO3166Code": number, "uniquenessDummy": number, "updatedAt": date,
                        "isoContinent": 10_000 + number % 2,
                    ])
                _ = MappedStores.insert("Mood", context, ["date": date, "rating": number, "country": country])
            }
        }
        try stores.migrate(mapping(MigrationFixture.moods + "/Moody 5-Moody 6.xcmappingmodel"))
        try stores.read { context in
            let continents = try MappedStores.all("Continent", context, by: "numericISO3166Code")
            #expect(continents.map { $0.value(forKey: "numericISO3166Code") as? Int } == [10_000, 10_001])
            #expect(continents.map { ($0.value(forKey: "countries") as? NSSet)?.count } == [3, 3])
            let moods = try MappedStores.all("Mood", context, by: "rating")
            #expect(moods.map { $0.value(forKeyPath: "country.numericISO3166Code") as? Int } == [1, 2, 3, 4, 5, 6])
        }
    }

    @Test("23 entities of a build server with all their relationships come from version 1.2.0 to 2.0.0 (MIG-11)")
    func buildsMigrate() throws {
        let base = MigrationFixture.builds + "/XCServerCoreData.xcdatamodeld/XCServerCoreData"
        let stores = try stores(
            "stores/xcservercoredata/Tests/XCServerCoreData_1.2.0.sqlite", model(base + "1.2.0.xcdatamodel"),
            model(base + "2.0.0.xcdatamodel"))
        let mapping = try mapping(MigrationFixture.builds + "/MappingModel1.2.0to2.0.0.xcmappingmodel")
        var before: [String: [String]] = [:]
        let context = try MappedStores.context(stores.old, stores.source)
        for mapping in mapping.entityMappings {
            before[mapping.name] = try Self.outline(mapping, mapping.sourceEntityName ?? "", context) {
                MappingExpressions.plainKey(of: $0.valueExpression)
                    ?? MappingExpressions.plainRelationship(of: $0.valueExpression)
            }
        }
        try MappedStores.close(context)
        try stores.migrate(try self.mapping(MigrationFixture.builds + "/MappingModel1.2.0to2.0.0.xcmappingmodel"))
        try stores.read { context in
            for mapping in mapping.entityMappings {
                let after = try Self.outline(mapping, mapping.destinationEntityName ?? "", context) {
                    $0.valueExpression == nil ? nil : $0.name
                }
                let differing = zip(after, before[mapping.name] ?? []).first { $0 != $1 }
                #expect(after == before[mapping.name], "\(mapping.name ?? ""): \(String(describing: differing))")
                #expect(!after.isEmpty || mapping.sourceEntityName != "Integration")
            }
        }
    }

    /// A value as a text, dictionaries in the order of their keys.
    private static func text(_ value: Any) -> String {
        guard let pairs = value as? [String: Any] else { return "\(value)" }
        return pairs.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: ",")
    }

    /// Every object as a text of its mapped values and of the numbers of its related objects, in order.
    private static func outline(
        _ mapping: NSEntityMapping, _ entity: String, _ context: NSManagedObjectContext,
        _ key: (NSPropertyMapping) -> String?
    ) throws -> [String] {
        try MappedStores.all(entity, context).map { object in
            var parts: [String] = []
            for property in mapping.attributeMappings ?? [] {
                let value = key(property).flatMap { object.value(forKey: $0) }
                let date = (value as? String).flatMap(IntegrationStringToDateMigrationPolicy.date)
                parts.append((date ?? value).map(text) ?? "nil")
            }
            for property in mapping.relationshipMappings ?? [] {
                let value = key(property).flatMap { object.value(forKey: $0) }
                parts.append("\((value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count ?? (value == nil ? 0 : 1))")
            }
            return parts.joined(separator: "|")
        }.sorted()
    }
}
