import CoreData
import CoreDataModelCompiler
import CoreDataSourcePorting
import Foundation
import TestBasics
import Testing

@testable import SwiftData

/// Random model classes: compiled, read from their sources, and written as classes again, with one schema in all three.
@Suite struct RandomModelTests {
    private func read(_ source: String) throws -> NSManagedObjectModel {
        let folder = try Fixtures.temporaryFolder()
        try Data(source.utf8).write(to: folder.appending(path: "Models.swift"))
        let scan = try ModelClassScan(of: [folder.path])
        #expect(scan.omissions == 0, "\(scan.findings.map(\.finding.message))\n\(source)")
        return try #require(scan.versions.first).model
    }

    @Test("random classes have the hashes that their sources show, as a model and as classes again")
    func sourcesOfRandomClassesGoThereAndBack() throws {
        for seed in TestSeed.sequences(25, exhaustive: 2_000) {
            let source = CompiledModels.namespace("M", RandomModelSource(seed: seed).text)
            let model = try read(source)
            let again = SwiftModelSource(of: model, title: "M")
            let other = again.losses.filter(\.changesHash)
            #expect(other.isEmpty, "seed \(seed): \(other)")
            let back = try read(again.text)
            #expect(
                back.entityVersionHashesByName == model.entityVersionHashesByName,
                "seed \(seed):\n\(source)\n\(again.text)")
            let document = ModelDocument.describing(model).document
            let fromDocument = try document.makeModel().model
            #expect(
                fromDocument.entityVersionHashesByName == model.entityVersionHashesByName, "seed \(seed):\n\(source)")
        }
    }

    @Test("random classes have one schema compiled and read, and stores return their values")
    func compiledRandomClassesAgreeWithTheirSources() throws {
        let seeds = TestSeed.sequences(4, exhaustive: 50)
        var sources: [String: String] = [:]
        var main = "import CoreData\nimport SwiftData\n\n"
        for seed in seeds {
            let random = RandomModelSource(seed: seed)
            sources["M\(seed).swift"] = CompiledModels.namespace("M\(seed)", random.text)
            main += CompiledModels.printing("M\(seed)", random.classes)
            main += """
                for wrong in try M\(seed).check(CommandLine.arguments[1] + "/\(seed).store") {
                    print("wrong: seed \(seed),", wrong)
                }

                """
        }
        sources["main.swift"] = main
        let folder = try Fixtures.temporaryFolder()
        let output = try CompiledModels(sources).run(folder.path)
        #expect(!output.contains("wrong:"), "\(output)")
        let hashes = CompiledModels.hashes(output)
        for seed in seeds {
            let source = try #require(sources["M\(seed).swift"])
            let model = try read(source)
            #expect(hashes["M\(seed)"] == model.entityVersionHashesByName, "seed \(seed):\n\(source)")
        }
    }
}
