import CoreData
import StoreContract
import TestBasics
import Testing

/// `coredata migrate --scaffold`: a mapping model and policies for what cannot be inferred.
struct ScaffoldTests {
    @Test("a scaffold maps every entity, and names a policy for each that cannot be inferred (MIG-10, MIG-11)")
    func mapsEveryEntity() throws {
        let office = try Office()
        defer { office.remove() }
        let outcome = try office.scaffold()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("OneToTwoPolicies.swift:"))
        #expect(outcome.output.contains("Person.age: its type was Integer 32 and is String"))
        #expect(outcome.output.hasSuffix("7 places to look at, each marked DECIDE\n"))
        let mapping = try mappingModel(office, "OneToTwo")
        let differing = mapping.entitiesDiffering(
            fromSource: try office.model("One"), destination: try office.model("Two"))
        #expect(differing.isEmpty)
        let kinds = Dictionary(uniqueKeysWithValues: mapping.entityMappings.map { ($0.name ?? "", $0.mappingType) })
        #expect(
            kinds == [
                "DeskToDesk": .customEntityMappingType, "PersonToPerson": .customEntityMappingType,
                "PersonToAddress": .customEntityMappingType, "IEM_Copy_Plant": .copyEntityMappingType,
            ])
        let person = try #require(mapping.entityMappingsByName["PersonToPerson"])
        #expect(person.entityMigrationPolicyClassName == "PersonOneToPersonTwoMigrationPolicy")
        #expect(
            person.attributeMappings?.map(\.description) == [
                "age = –", "born = –", "code = $source.code", "level = –", "name = $source.name",
            ])
        // Nor does the other end pick one by the way.
        #expect(person.relationshipMappings?.map(\.description) == ["desks = –"])
        #expect(mapping.entityMappingsByName["DeskToDesk"]?.relationshipMappings?.map(\.description) == ["owner = –"])
        let address = try #require(mapping.entityMappingsByName["PersonToAddress"])
        #expect(address.attributeMappings?.map(\.description) == ["city = $source.city", "street = $source.street"])
    }

    @Test("the policies are what is kept as a source of these tests, which the compiler has read")
    func policiesAreAsKept() throws {
        let office = try Office()
        defer { office.remove() }
        #expect(try office.scaffold().code == 0)
        let made = try String(
            contentsOf: office.folder.appendingPathComponent("OneToTwoPolicies.swift"), encoding: .utf8)
        let kept = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("OneToTwoPolicies.swift")
        if ProcessInfo.processInfo.environment["OPENCOREDATA_RECORD"] != nil { try Data(made.utf8).write(to: kept) }
        #expect(try String(contentsOf: kept, encoding: .utf8) == made)
    }

    @Test("a store is migrated by the mapping model and the policies as they are written (MIG-13)")
    func storeIsMigratedByMappingModelAndPoliciesAsTheyAreWritten() throws {
        let office = try Office()
        defer { office.remove() }
        #expect(try office.scaffold().code == 0)
        PersonOneToPersonTwoMigrationPolicy.register(named: "PersonOneToPersonTwoMigrationPolicy")
        PersonOneToAddressTwoMigrationPolicy.register(named: "PersonOneToAddressTwoMigrationPolicy")
        DeskOneToDeskTwoMigrationPolicy.register(named: "DeskOneToDeskTwoMigrationPolicy")
        let mapping = try mappingModel(office, "OneToTwo")
        // The one decision without which the new model's rules are broken.
        let level = mapping.entityMappingsByName["PersonToPerson"]?.attributeMappings?.first { $0.name == "level" }
        level?.valueExpression = NSExpression(forConstantValue: 1)
        let model = try office.model("Two")
        let url = office.models.url.appendingPathComponent("Migrated.sqlite")
        try NSMigrationManager(sourceModel: try office.model("One"), destinationModel: model)
            .migrateStore(from: try office.makeStore(), type: .sqlite, mapping: mapping, to: url, type: .sqlite)
        let stack = try Stack(model, url: url)
        #expect(try values("Person", "age", stack) == ["31", "32"])
        #expect(try values("Person", "born", stack) == ["1.0", "2.0"])
        #expect(try values("Person", "code", stack) == ["C1", "C2"])
        #expect(try values("Person", "desks", stack) == ["nil", "nil"])
        #expect(try values("Desk", "number", stack) == ["11", "12", "21", "22"])
        #expect(try values("Desk", "label", stack) == ["1", "1", "2", "2"])
        #expect(try values("Address", "city", stack) == ["City", "City"])
        #expect(try values("Plant", "name", stack) == ["Fern"])
        try stack.coordinator.remove(stack.store)
    }

    @Test func jsonTellsFilesMappingsAndDecisions() throws {
        let office = try Office()
        defer { office.remove() }
        let report: [String: Any] = try office.scaffold("--format", "json").json()
        #expect(report["result"] as? String == "written")
        let files = try #require(report["files"] as? [String])
        #expect(files.map { ($0 as NSString).lastPathComponent } == ["OneToTwo.cdm", "OneToTwoPolicies.swift"])
        #expect((report["mappings"] as? [Any])?.count == 4)
        let decisions = try #require(report["decisions"] as? [[String: Any]])
        #expect(
            Set(decisions.map { "\($0["entity"] as? String ?? "").\($0["name"] as? String ?? "")" }) == [
                "Person.age", "Person.born", "Person.code", "Person.level", "Person.desks", ".Address", "Desk.label",
            ])
        let lines = try String(contentsOfFile: files[1], encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (number, decision) in decisions.enumerated() {
            let line = try #require(decision["line"] as? Int)
            #expect(lines[line - 1].contains("// DECIDE \(number + 1): "))
        }
    }

    @Test("what is there is not overwritten, and the other file is not written then")
    func overwritesNothing() throws {
        let office = try Office()
        defer { office.remove() }
        try FileManager.default.createDirectory(at: office.folder, withIntermediateDirectories: true)
        let file = office.folder.appendingPathComponent("OneToTwoPolicies.swift")
        try Data("mine".utf8).write(to: file)
        expectRefusal(try office.scaffold(), containing: "OneToTwoPolicies.swift", "nothing is overwritten")
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: office.folder.path) == [file.lastPathComponent])
    }

    @Test("nothing is written where all can be inferred, and nothing differs", arguments: ["More", "One"])
    func writesNothingWhereInferred(_ version: String) throws {
        let office = try Office()
        defer { office.remove() }
        let outcome = try office.scaffold("--version", version)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("all can be inferred; nothing is written"))
        #expect(!FileManager.default.fileExists(atPath: office.folder.path))
        let report: [String: Any] = try office.scaffold("--version", version, "--format", "json").json()
        #expect(report["result"] as? String == "unneeded")
    }

    @Test("a store is read for its version, and not changed") func ofStore() throws {
        let office = try Office()
        defer { office.remove() }
        let store = try office.makeStore()
        let before = try Data(contentsOf: store)
        let outcome = try Tool.run(
            "migrate", store.path, "--to", office.package, "--scaffold", office.folder.path)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("OneToTwo.cdm"))
        #expect(try Data(contentsOf: store) == before)
        let wrong = try Tool.run(
            "migrate", store.path, "--to", office.package, "--scaffold", office.folder.path, "--plan")
        #expect(wrong.code == 2, "\(wrong.errors)")
    }

    @Test(
        "lines of inheritance made one, an entity in two, an attribute twice: each has a policy that compiles (MIG-14)")
    func entityObstaclesCompile() throws {
        let office = try Office()
        defer { office.remove() }
        let expected = [
            "Merged": ["DeskToDesk", "PlantToPlant"], "Split": ["DeskToBench", "DeskToTable"],
            "Rivals": ["PlantToPlant"],
        ]
        let store = try office.makeStore()
        for (version, names) in expected {
            let outcome = try office.scaffold("--version", version)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let mapping = try mappingModel(office, "OneTo\(version)")
            let custom = mapping.entityMappings.filter { $0.mappingType == .customEntityMappingType }
            #expect(custom.compactMap(\.name).sorted() == names)
            // Without what the policies add to it, the mapping model makes an object of each.
            for name in custom.compactMap(\.entityMigrationPolicyClassName) {
                NSEntityMigrationPolicy.register(named: name)
            }
            let url = office.models.url.appendingPathComponent("\(version).sqlite")
            let (old, new) = (try office.model("One"), try office.model(version))
            #expect(mapping.entitiesDiffering(fromSource: old, destination: new).isEmpty)
            try NSMigrationManager(sourceModel: old, destinationModel: new)
                .migrateStore(from: store, type: .sqlite, mapping: mapping, to: url, type: .sqlite)
            let stack = try Stack(new, url: url)
            for mapping in custom {
                let count = try values(mapping.destinationEntityName ?? "", "objectID", stack).count
                #expect(count == (mapping.sourceEntityName == "Desk" ? 4 : 1), "\(mapping)")
            }
            try stack.coordinator.remove(stack.store)
        }
        try typecheck(expected.keys.map { office.folder.appendingPathComponent("OneTo\($0)Policies.swift").path })
    }

    @Test("whatever the types of an attribute, the policy compiles without a warning") func conversionsCompile() throws
    {
        let models = try ModelFolder()
        defer { models.remove() }
        let types = [
            "Integer 16", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary", "UUID",
            "URI",
            "Transformable",
        ]
        func body(_ type: (Int) -> String) -> String {
            let attributes = (0..<types.count * types.count).map {
                "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"\(type($0))\" usesScalarValueType=\"NO\"/>"
            }
            return "<entity name=\"All\">" + attributes.joined(separator: "\n") + "</entity>"
        }
        let package = try models.package(
            "All.xcdatamodeld", ("New 2", body { types[$0 % types.count] }), ("1 Old", body { types[$0 / types.count] })
        )
        let folder = models.url.appendingPathComponent("Scaffold")
        let outcome = try Tool.run(
            "migrate", package + "/1 Old.xcdatamodel", "--to", package, "--scaffold", folder.path, "--format", "json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let report: [String: Any] = try outcome.json()
        let decisions = try #require(report["decisions"] as? [[String: Any]])
        // The five kinds of numbers become each other by inference, and truth values become all of them.
        #expect(decisions.count == types.count * (types.count - 1) - 5 * 4 - 5)
        try typecheck([folder.appendingPathComponent("1OldToNew2Policies.swift").path])
    }

    // MARK: Looking

    private func typecheck(_ sources: [String]) throws {
        let modules = try #require(Toolchain.modules)
        try Toolchain.output(
            "swiftc",
            ["-typecheck", "-warnings-as-errors", "-swift-version", "6"] + Toolchain.flags(modules: modules) + sources)
    }

    private func mappingModel(_ office: Office, _ name: String) throws -> NSMappingModel {
        try NSMappingModel(reading: office.folder.appendingPathComponent(name + ".cdm"))
    }

    private func values(_ entity: String, _ key: String, _ stack: Stack) throws -> [String] {
        try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
            .map { $0.value(forKey: key).map { "\($0)" } ?? "nil" }.sorted()
    }
}
