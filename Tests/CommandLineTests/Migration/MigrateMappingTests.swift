import CoreData
import StoreContract
import Testing

/// `coredata migrate --mapping`.
struct MigrateMappingTests {
    /// Makes titles numbers, which cannot be inferred, and takes all else over.
    static func mapping(policy: String? = nil, powers: Bool = true) -> NSMappingModel {
        func entity(_ name: String, _ attributes: [String: String], _ relationships: [String: String] = [:])
            -> NSEntityMapping
        {
            let mapping = NSEntityMapping()
            mapping.name = "\(name)To\(name)"
            mapping.mappingType = .transformEntityMappingType
            (mapping.sourceEntityName, mapping.destinationEntityName) = (name, name)
            func properties(_ expressions: [String: String]) -> [NSPropertyMapping] {
                expressions.sorted { $0.key < $1.key }.map { name, text in
                    let property = NSPropertyMapping()
                    property.name = name
                    property.valueExpression = NSExpression(format: text)
                    return property
                }
            }
            mapping.attributeMappings = properties(attributes)
            mapping.relationshipMappings = properties(relationships)
            return mapping
        }
        let find = "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\","
        let events = entity("Event", ["title": "length:($source.title)", "timeStamp": "$source.timeStamp"])
        events.entityMigrationPolicyClassName = policy
        let model = NSMappingModel()
        model.entityMappings = [
            events, entity("Hero", ["name": "$source.name", "age": "$source.age", "picture": "$source.picture"]),
        ]
        if powers {
            model.entityMappings.append(
                entity("Power", ["title": "length:($source.title)"], ["hero": find + " \"HeroToHero\", $source.hero)"]))
        }
        return model
    }

    /// The same, for these two versions alone.
    static func hashedMapping(_ almanac: Almanac) throws -> NSMappingModel {
        let made = mapping()
        for (version, hash) in [
            ("One", \NSEntityMapping.sourceEntityVersionHash), ("Retyped", \.destinationEntityVersionHash),
        ] {
            let hashes = try almanac.with(version, at: almanac.folder.appendingPathComponent("Empty \(version).sqlite"))
            {
                $0.persistentStoreCoordinator?.managedObjectModel.entityVersionHashesByName ?? [:]
            }
            for entity in made.entityMappings { entity[keyPath: hash] = hashes[entity.sourceEntityName ?? ""] }
        }
        return made
    }

    /// Writes a mapping model beside the models; gives its path.
    static func file(_ mapping: NSMappingModel, in almanac: Almanac) throws -> String {
        let url = almanac.models.url.appendingPathComponent("OneToRetyped.cdm")
        try mapping.compiledData().write(to: url)
        return url.path
    }

    @Test("what cannot be inferred is migrated by a mapping model that is given, with a dry run before (MIG-11)")
    func mappingModelMigrates() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let mapping = try Self.file(Self.mapping(), in: almanac)
        let before = try FolderState(around: almanac.store)
        let plan = try almanac.migrate("--version", "Retyped", "--mapping", mapping, "--plan", "--format", "json")
        #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
        let report: [String: Any] = try plan.json()
        #expect((report["path"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["mapping"])
        let steps = try #require(report["steps"] as? [[String: Any]])
        #expect(steps.map { $0["subject"] as? String } == ["Event to Event", "Hero to Hero", "Power to Power"])
        #expect(steps.map { $0["rows"] as? Int } == [2, 4, 3])
        let statements = try almanac.migrate("--version", "Retyped", "--mapping", mapping, "--sql")
        #expect(statements.output == "-- One -> Retyped: made object by object\n")
        let rehearsed = try almanac.migrate("--version", "Retyped", "--mapping", mapping, "--dry-run")
        #expect(rehearsed.code == 0, "\(rehearsed.output)\(rehearsed.errors)")
        #expect(try FolderState(around: almanac.store) == before)
        let outcome = try almanac.migrate("--version", "Retyped", "--mapping", mapping)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try almanac.with("Retyped") { context in
            #expect(try context.all("Event").map { $0.value(forKey: "title") as? Int } == [5, 5])
            let heroes = try context.all("Hero", sortedBy: "name")
            #expect(heroes.map { ($0.value(forKey: "powers") as? NSSet)?.count } == [0, 1, 1, 1])
            #expect((heroes[0].value(forKey: "picture") as? Data)?.count == 300_000)
        }
        let backup = try #require(try almanac.backup())
        #expect(try almanac.with("One", at: backup) { try $0.all("Power").count } == 3)
    }

    @Test("a plan over several stages lists the statements of each, which are then carried out (MIG-15)")
    func laterStagesArePlanned() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let mapping = try Self.file(Self.hashedMapping(almanac), in: almanac)
        let before = try FolderState(around: almanac.store)
        let statements = try almanac.migrate("--version", "RetypedTwo", "--mapping", mapping, "--sql")
        let lines = statements.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "-- One -> Retyped: made object by object")
        #expect(lines.count > 2 && lines[1] == "-- Retyped -> RetypedTwo")
        #expect(
            lines.contains { $0.hasPrefix("ALTER TABLE") && $0.contains("ZHERO") && $0.contains("ZCOLOR") }, "\(lines)")
        let report: [String: Any] = try almanac.migrate(
            "--version", "RetypedTwo", "--mapping", mapping, "--plan", "--format", "json"
        ).json()
        let steps = try #require(report["steps"] as? [[String: Any]])
        #expect(steps.contains { $0["subject"] as? String == "Hero" && $0["rows"] is NSNull }, "\(steps)")
        #expect(try FolderState(around: almanac.store) == before)
        let outcome = try almanac.migrate("--version", "RetypedTwo", "--mapping", mapping)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let titles = try almanac.with("RetypedTwo") { context in
            try context.all("Event").map { $0.value(forKey: "title") as? Int }
        }
        #expect(titles == [5, 5])
    }

    @Test func entitiesThatNoMappingTakesAreLosses() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let mapping = try Self.file(Self.mapping(powers: false), in: almanac)
        let outcome = try almanac.migrate("--version", "Retyped", "--mapping", mapping)
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("entity Power, 3 objects"), "\(outcome.errors)")
    }

    @Test("a mapping model with a policy of the application is refused before anything is done (MIG-13)")
    func policiesAreRefused() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let mapping = try Self.file(Self.mapping(policy: "EventPolicy"), in: almanac)
        for option in ["--plan", "--dry-run", "--allow-loss"] {
            let outcome = try almanac.migrate("--version", "Retyped", "--mapping", mapping, option)
            #expect(outcome.code == 1, "\(option)")
            #expect(outcome.errors.contains("policy 'EventPolicy'"), "\(outcome.errors)")
            #expect(outcome.errors.contains("[134110]"))
        }
        #expect(try FolderState(around: almanac.store) == before)
    }

    @Test func mappingModelThatCannotBeReadIsRefused() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let bad = almanac.models.url.appendingPathComponent("Bad.cdm")
        try Data("bplist00 and nothing more".utf8).write(to: bad)
        expectRefusal(try almanac.migrate("--mapping", bad.path), containing: "Bad.cdm")
        expectRefusal(try almanac.migrate("--mapping", bad.path + "x"), containing: "Bad.cdmx")
    }
}
