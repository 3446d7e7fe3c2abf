import CoreData
import CoreDataModelCompiler
import CoreDataSourcePorting
import Foundation
import TestBasics
import Testing

@testable import SwiftData

/// Core Data models as classes with `@Model`: compiled, with the version hashes of the models.
@Suite(.enabled(if: Fixtures.areAvailable, Testing.Comment(rawValue: Fixtures.missing)))
struct ConvertedModelTests {
    private static let limit = 12

    /// Models of applications whose entities such classes can say, one for each set of hashes.
    private static func models() throws -> [NSManagedObjectModel] {
        var known: Set<[String: Data]> = []
        var models: [NSManagedObjectModel] = []
        for name in ["models", "stores"] {
            let root = Fixtures.url(name)
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
            where path.hasSuffix(".xcdatamodel") {
                guard let model = try? NSManagedObjectModel(reading: root.appending(path: path)),
                    !model.entities.isEmpty, model.entities.allSatisfy({ $0.superentity == nil }),
                    known.insert(model.entityVersionHashesByName).inserted,
                    !SwiftModelSource(of: model, title: "").losses.contains(where: \.changesHash),
                    !SwiftModelSource(of: model, title: "").text.contains(".transformable(")
                else { continue }
                models.append(model)
            }
        }
        return models
    }

    @Test("compiled classes of applications' models have the hashes of the models")
    func compiledClassesHaveTheHashesOfTheModels() throws {
        let models = TestSeed.sample(try Self.models(), step: 5).prefix(TestSeed.isExhaustive ? .max : Self.limit)
        #expect(models.count >= 5)
        var (sources, main) = ([String: String](), "import CoreData\nimport SwiftData\n\n")
        for (number, model) in models.enumerated() {
            let text = SwiftModelSource(of: model, title: "M").text
            sources["M\(number).swift"] = CompiledModels.namespace("M\(number)", text)
            main += CompiledModels.printing("M\(number)", model.entities.compactMap(\.name).map(SwiftName.escaped))
        }
        sources["main.swift"] = main
        let hashes = CompiledModels.hashes(try CompiledModels(sources).run())
        for (number, model) in models.enumerated() {
            #expect(
                hashes["M\(number)"] == model.entityVersionHashesByName, "\(sources["M\(number).swift"] ?? "")")
        }
    }
}
