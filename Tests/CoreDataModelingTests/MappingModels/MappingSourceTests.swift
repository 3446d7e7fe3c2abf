import TestBasics
import Testing

@testable import CoreDataModeling

/// Sources of mapping models that Xcode wrote.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct MappingSourceTests {
    private static let sample = "stores/coredataplus/Tests/Resources/SampleModel/"

    private func text(_ expression: NSExpression?) -> String { expression?.formatString ?? "–" }

    private func value(_ model: NSMappingModel, _ mapping: String, _ property: String) -> String {
        let mapping = model.entityMappingsByName[mapping]
        let all = (mapping?.attributeMappings ?? []) + (mapping?.relationshipMappings ?? [])
        return text(all.first { $0.name == property }?.valueExpression)
    }

    @Test("every object in every source at hand becomes a mapping or is known to belong to none (MIG-11)")
    func everySourceIsReadInFull() throws {
        let paths = FixtureSupport.paths(endingIn: "xcmapping.xml")
        #expect(paths.count == 11)
        var counts = [0, 0, 0, 0]
        for path in paths {
            let source = try MappingSourceReader.read(Data(contentsOf: Fixtures.url(path)))
            let model = try NSMappingModel(reading: Fixtures.url(path))
            #expect(model.entityMappings.count == source.entities.count)
            for (mapping, entity) in zip(model.entityMappings, source.entities) {
                #expect(mapping.attributeMappings?.compactMap(\.name) == entity.attributes.map(\.name))
                #expect(mapping.relationshipMappings?.compactMap(\.name) == entity.relationships.map(\.name))
                #expect((mapping.sourceEntityVersionHash == nil) == (entity.sourceName == nil))
                #expect((mapping.destinationEntityVersionHash == nil) == (entity.destinationName == nil))
                counts[1] += entity.attributes.count
                counts[2] += entity.relationships.count
            }
            counts[0] += model.entityMappings.count
            counts[3] += source.orphanCount
        }
        // 61, 280 and 170 objects are in the files, 12 of which belong to nothing.
        #expect(counts[0] + counts[1] + counts[2] + counts[3] == 511)
        #expect(counts[3] < 25, "\(counts)")
    }

    @Test("a source becomes what Apple's compiler made of it (MIG-11)")
    func sourceBecomesTheCompiledModel() throws {
        let source = try NSMappingModel(reading: Fixtures.url(Self.sample + "MappingModels/V2toV3.xcmappingmodel"))
        let compiled = try NSMappingModel(reading: Fixtures.url(Self.sample + "Fixtures/V2toV3.cdm"))
        #expect(source.description == compiled.description)
        #expect(source.entityMappings.map(\.name) == compiled.entityMappings.map(\.name))
        for (own, apples) in zip(source.entityMappings, compiled.entityMappings) {
            #expect(own.sourceExpression == apples.sourceExpression)
            #expect(own.sourceEntityVersionHash == apples.sourceEntityVersionHash, "\(own.name ?? "")")
            #expect(own.destinationEntityVersionHash == apples.destinationEntityVersionHash, "\(own.name ?? "")")
            #expect(own.mappingType == apples.mappingType)
        }
        #expect(compiled.entityMappings.map(\.mappingType.rawValue) == [1, 1, 4, 1, 2])
        #expect(compiled.entityMappings[0].entityMigrationPolicyClassName == "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
    }

    @Test("a source's own paths, policies and user info are read; blank expressions are shown (MIG-11, MIG-12)")
    func sourceSaysMore() throws {
        let moody = try NSMappingModel(
            reading: Fixtures.url(
                "models/objcio-moody/Migrations/Migrations/Moody 2-Moody 3.xcmappingmodel/xcmapping.xml"))
        #expect(
            value(moody, "ContinentToContinent", "moods")
                == "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"MoodToMood\", "
                + "$source.countries.@distinctUnionOfSets.moods)")
        #expect(value(moody, "MoodToMood", "date") == "$source.date")
        let books = try NSMappingModel(
            reading: Fixtures.url("stores/objcio-issue4/BookMigration/Model1_to_Model2.xcmappingmodel"))
        let policies = books.entityMappings.compactMap(\.entityMigrationPolicyClassName)
        #expect(policies == ["MHWBookToBookPolicy"])
        let custom = books.entityMappings.first { $0.entityMigrationPolicyClassName != nil }
        #expect(custom?.userInfo?["modelVersion"] as? String == "2")
        #expect(custom?.mappingType == .customEntityMappingType)
        let maker = try NSMappingModel(reading: Fixtures.url(Self.sample + "MappingModels/V2toV3.xcmappingmodel"))
        #expect(maker.description.contains("Maker: add, – to Maker\n    name = –"))
    }

    @Test("a mapping model is found in folders by the version hashes of two models (MIG-11)")
    func searchTakesWhatFits() throws {
        let folder = try Fixtures.temporaryFolder()
        let models = try (1...3).map {
            try NSManagedObjectModel(
                reading: Fixtures.url("stores/objcio-issue4/BookMigration/Model.xcdatamodeld/Model\($0).xcdatamodel"))
        }
        for name in ["Model1_to_Model2", "Model2_to_Model3"] {
            let source = Fixtures.url("stores/objcio-issue4/BookMigration/\(name).xcmappingmodel")
            try FileManager.default.copyItem(
                at: source, to: folder.appendingPathComponent(source.lastPathComponent))
        }
        try Data("nonsense".utf8).write(to: folder.appendingPathComponent("Broken.cdm"))
        let files = MappingModelFiles(in: [folder])
        func found(_ source: Int, _ destination: Int) -> [String]? {
            files.mappings(from: models[source - 1], to: models[destination - 1])?.compactMap(\.name)
        }
        #expect(found(1, 2) != nil && found(2, 3) != nil && found(1, 2) != found(2, 3))
        #expect(found(1, 3) == nil && found(2, 1) == nil && found(2, 2) == nil)
        // Each file was read once, before the first answer.
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.lastPathComponent != "Model1_to_Model2.xcmappingmodel" {
            try FileManager.default.removeItem(at: file)
        }
        #expect(found(2, 3) != nil && MappingModelFiles(in: [folder]).mappings(from: models[1], to: models[2]) == nil)
        // The compiled form is found by the hashes that it has.
        let compiled = try NSMappingModel(reading: folder.appendingPathComponent("Model1_to_Model2.xcmappingmodel"))
        let other = try Fixtures.temporaryFolder()
        try compiled.compiledData().write(to: other.appendingPathComponent("A.cdm"))
        let bundle = try #require(Bundle(path: other.path))
        #expect(NSMappingModel(from: [bundle], forSourceModel: models[0], destinationModel: models[1]) != nil)
        #expect(NSMappingModel(from: [bundle], forSourceModel: models[1], destinationModel: models[2]) == nil)
        #expect(NSMappingModel(from: nil, forSourceModel: models[0], destinationModel: models[1]) == nil)
        #expect(NSMappingModel(from: [bundle], forSourceModel: nil, destinationModel: models[1]) == nil)
    }

    @Test("a source whose copies of the models lag behind is completed with the models that are given (MIG-11)")
    func laggingCopiesAreReplaced() throws {
        let folder = try Fixtures.temporaryFolder()
        let source = Fixtures.url("stores/objcio-issue4/BookMigration/Model1_to_Model2.xcmappingmodel")
        try FileManager.default.copyItem(at: source, to: folder.appendingPathComponent("A.xcmappingmodel"))
        let models = try (1...2).map {
            try NSManagedObjectModel(
                reading: Fixtures.url("stores/objcio-issue4/BookMigration/Model.xcdatamodeld/Model\($0).xcdatamodel"))
        }
        for entity in models[1].entities { entity.versionHashModifier = "later" }
        let files = MappingModelFiles(in: [folder])
        let mappings = try #require(files.mappings(from: models[0], to: models[1]))
        let name = try #require(mappings[0].destinationEntityName)
        #expect(mappings[0].destinationEntityVersionHash == models[1].entitiesByName[name]?.versionHash)
        models[1].entitiesByName[name]?.properties.removeLast()
        #expect(files.mappings(from: models[0], to: models[1]) == nil)
    }
}

@Suite("Settings of mapping models' sources") struct MappingSourceSettingTests {
    @Test("an attribute whose expression is not to be generated stays blank (MIG-11)", arguments: [nil, "0", "1"])
    func ungeneratedExpressionIsBlank(_ setting: String?) throws {
        let flag = setting.map { "<attribute name=\"autogenerateexpression\" type=\"bool\">\($0)</attribute>" } ?? ""
        let text = """
            <database><object type="XDDEVMAPPINGMODEL" id="z1"></object>
            <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename" type="string">E</attribute>
            <attribute name="destinationname" type="string">E</attribute>
            <relationship name="mappingmodel" type="1/1" idrefs="z1"/></object>
            <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name" type="string">b</attribute>\(flag)
            <relationship name="entitymapping" type="1/1" idrefs="z2"/></object>
            <object type="XDDEVRELATIONSHIPMAPPING" id="z4"><attribute name="name" type="string">c</attribute>\(flag)
            <relationship name="entitymapping" type="1/1" idrefs="z2"/></object></database>
            """
        let source = try MappingSourceReader.read(Data(text.utf8))
        let compilation = MappingSourceCompilation(source, sourceModel: nil, destinationModel: nil)
        let mapping = try #require(try compilation.mappings().first)
        #expect((mapping.attributeMappings?.first?.valueExpression == nil) == (setting == "0"))
        #expect((mapping.relationshipMappings?.first?.valueExpression == nil) == (setting == "0"))
    }
}
