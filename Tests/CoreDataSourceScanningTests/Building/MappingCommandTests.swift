import CoreDataSourceScanning
import TestBasics
import Testing

/// Compiling mapping models in a build.
@Suite struct MappingCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    private func run(_ words: [String]) -> (code: Int32, lines: [String]) {
        var lines: [String] = []
        let code = BuildCommand.run(words) { lines.append($0) }
        return (code, lines)
    }

    @Test(
        "a source becomes the .cdm that Apple's compiler makes, and an unchanged one is left alone (MIG-11)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func sourceIsCompiled() throws {
        let sample = "stores/coredataplus/Tests/Resources/SampleModel/"
        let words = [
            "mapping", Fixtures.url(sample + "MappingModels/V2toV3.xcmappingmodel").path, "--compiled", path("A.cdm"),
        ]
        for models in [[], ["--model", Fixtures.url(sample + "SampleModel.xcdatamodeld").path]] {
            let outcome = run(words + models)
            #expect(outcome.code == 0 && outcome.lines.isEmpty)
            let compiled = try NSMappingModel(reading: URL(fileURLWithPath: path("A.cdm")))
            let apples = try NSMappingModel(reading: Fixtures.url(sample + "Fixtures/V2toV3.cdm"))
            #expect(compiled.description == apples.description)
            #expect(
                compiled.entityMappings.map(\.destinationEntityVersionHash)
                    == apples.entityMappings.map(\.destinationEntityVersionHash))
        }
        let number = { try FileManager.default.attributesOfItem(atPath: path("A.cdm"))[.systemFileNumber] as? Int }
        let before = try number()
        _ = run(words)
        #expect(try number() == before)
    }

    @Test("the hashes are those of the build's models, and what these lack is a warning (MIG-11)")
    func modelsOfTheBuildAreUsed() throws {
        for (name, attribute) in [("M", "a"), ("M 2", "b")] {
            let version = folder.url.appendingPathComponent("M.xcdatamodeld/\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let text =
                "<model><entity name=\"E\"><attribute name=\"\(attribute)\" attributeType=\"String\"/></entity></model>"
            try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
        }
        let mapping = folder.url.appendingPathComponent("A.xcmappingmodel")
        try FileManager.default.createDirectory(at: mapping, withIntermediateDirectories: true)
        try Data(
            """
            <database><object type="XDDEVMAPPINGMODEL" id="z1">
            <attribute name="sourcemodelpath" type="string">X/M.xcdatamodeld/M.xcdatamodel</attribute>
            <attribute name="destinationmodelpath" type="string">X/M.xcdatamodeld/M 2.xcdatamodel</attribute></object>
            <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename" type="string">E</attribute>
            <attribute name="destinationname" type="string">E</attribute>
            <relationship name="mappingmodel" type="1/1" idrefs="z1"/></object>
            <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name" type="string">b</attribute>
            <relationship name="entitymapping" type="1/1" idrefs="z2"/></object>
            <object type="XDDEVATTRIBUTEMAPPING" id="z4"><attribute name="name" type="string">gone</attribute>
            <relationship name="entitymapping" type="1/1" idrefs="z2"/></object></database>
            """.utf8
        ).write(to: mapping.appendingPathComponent("xcmapping.xml"))
        let outcome = run([
            "mapping", mapping.path, "--compiled", path("A.cdm"), "--model", path("M.xcdatamodeld"),
        ])
        #expect(outcome.code == 0)
        #expect(
            outcome.lines == [
                "\(mapping.path): warning: the mapping 'EToE' has 'gone', which 'E' of the destination model lacks"
            ])
        let compiled = try NSMappingModel(reading: URL(fileURLWithPath: path("A.cdm"))).entityMappings[0]
        for (name, hash) in [
            ("M", compiled.sourceEntityVersionHash), ("M 2", compiled.destinationEntityVersionHash),
        ] {
            let model = try NSManagedObjectModel(
                reading: folder.url.appendingPathComponent("M.xcdatamodeld/\(name).xcdatamodel"))
            #expect(hash == model.entitiesByName["E"]?.versionHash)
        }
        try Data("<database/>".utf8).write(to: mapping.appendingPathComponent("xcmapping.xml"))
        let empty = run(["mapping", mapping.path, "--compiled", path("B.cdm")])
        #expect(empty.code == 1 && empty.lines.first?.contains("error: the file holds no mapping model") == true)
        #expect(run(["mapping"]).code == 2)
        #expect(!FileManager.default.fileExists(atPath: path("B.cdm")))
    }
}
