import TestBasics
import Testing

@testable import CoreDataModeling

/// Mapping models that no compiler and no editor wrote.
@Suite struct HostileMappingTests {
    private func error(_ data: Data) -> ModelingError? {
        #expect(throws: ModelingError.self) { try NSMappingModel(compiled: data) }
    }

    /// An archive of a model with one mapping, whose fields the test gives.
    private func archive(
        _ fill: (inout ArchiveBuilder) throws -> [String: PropertyList]
    ) rethrows -> Data {
        var builder = ArchiveBuilder()
        var fields: [String: PropertyList] = ["NSMappingName": builder.text("AToB"), "NSMappingType": .integer(4)]
        fields.merge(try fill(&builder)) { _, new in new }
        let mapping = builder.add("NSEntityMapping", fields)
        let root = builder.add(
            "NSMappingModel", ["NSEntityMappings": builder.collection("NSArray", [mapping])])
        return builder.data(root: root)
    }

    private func property(
        _ builder: inout ArchiveBuilder, _ name: String, _ expression: PropertyList
    ) -> [String: PropertyList] {
        let mapping = builder.add(
            "NSPropertyMapping",
            ["NSDestinationPropertyName": builder.text(name), "NSValueExpression": expression])
        return ["NSAttributeMappings": builder.collection("NSArray", [mapping])]
    }

    @Test("an archive that is whole is read (HAZ-46)")
    func plainArchiveIsRead() throws {
        let data = try archive { builder in
            property(&builder, "x", try builder.expression(MappingExpressions.source("x")))
        }
        #expect(try NSMappingModel(compiled: data).description == "AToB: copy, – to –\n    x = $source.x")
    }

    @Test("truncated archives, wrong types and wrong classes are refused (HAZ-46)")
    func damageIsRefused() throws {
        let whole = try CompiledMappingTests.rich().compiledData()
        for length in stride(from: 0, to: whole.count, by: 37) {
            #expect(throws: ModelingError.self) { try NSMappingModel(compiled: whole.prefix(length)) }
        }
        #expect(error(archive { _ in ["NSMappingType": .integer(9)] })?.cause.contains("unknown type") == true)
        #expect(error(archive { _ in ["NSMappingType": .integer(-1)] })?.cause.contains("unknown type") == true)
        #expect(error(archive { _ in ["NSMappingName": .uid(0)] })?.cause.contains("no name") == true)
        #expect(error(archive { ["NSSourceEntityVersionHash": $0.append(.data(Data([1])))] })?.code == .malformed)
        #expect(error(archive { ["NSSourceEntityVersionHash": $0.text("x")] })?.code == .malformed)
        #expect(error(archive { ["NSAttributeMappings": $0.text("x")] })?.code == .malformed)
        #expect(
            error(archive { ["NSAttributeMappings": $0.collection("NSArray", [.uid(0)])] })?.code == .unexpectedClass)
        #expect(error(archive { property(&$0, "x", $0.add("NSFileManager", [:])) })?.code == .unexpectedClass)
        var builder = ArchiveBuilder()
        let root = builder.add("NSManagedObjectModel", [:])
        #expect(error(builder.data(root: root))?.code == .unexpectedClass)
    }

    @Test("archives that contain themselves or share one part a million times are refused soon (HAZ-46)")
    func circlesAndBombsAreRefused() throws {
        let circle = archive { builder in
            let place = builder.reserve()
            builder.define(
                place, className: "NSKeyPathExpression",
                fields: ["NSOperand": place, "NSArguments": builder.collection("NSArray", [place])])
            return property(&builder, "x", place)
        }
        #expect(error(circle)?.code == .limitExceeded)
        let list = archive { builder in
            let place = builder.reserve()
            builder.define(place, className: "NSArray", fields: ["NS.objects": .array([place, place])])
            return ["NSAttributeMappings": place]
        }
        #expect(error(list)?.code == .unexpectedClass)
        var builder = ArchiveBuilder()
        let mapping = builder.add("NSEntityMapping", ["NSMappingName": builder.text("A")])
        let many = builder.collection("NSArray", Array(repeating: mapping, count: 9_999))
        let root = builder.add("NSMappingModel", ["NSEntityMappings": many])
        #expect(error(builder.data(root: root))?.cause.contains("two mappings are named 'A'") == true)
        // Forty doublings of one expression.
        let bomb = archive { builder in
            var part = builder.add("NSSelfExpression", [:])
            for _ in 0..<40 {
                part = builder.add(
                    "NSAggregateExpression", ["NSCollection": builder.collection("NSArray", [part, part])])
            }
            return property(&builder, "x", part)
        }
        #expect(error(bomb)?.code == .limitExceeded)
    }

    @Test(
        "calls of unknown functions are refused, and the error names mapping, property and the nearest name (MIG-11)")
    func unknownFunctionsAreRefused() throws {
        func refusal(_ format: String) throws -> ModelingError? {
            error(try archive { property(&$0, "x", try $0.expression(NSExpression(parsing: format))) })
        }
        let unknown = try refusal(
            "FUNCTION($manager, \"destinationInstancesForEntityMappingName:sourceInstances:\", \"A\", $source)")
        #expect(unknown?.cause.contains("'x' in the mapping 'AToB'") == true)
        #expect(unknown?.hint?.contains("destinationInstancesForEntityMappingNamed:sourceInstances:") == true)
        #expect(try refusal("FUNCTION($manager, \"reset\")")?.cause.contains("unknown function 'reset'") == true)
        let few = try refusal(
            "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"A\")")
        #expect(few?.cause.contains("1 arguments") == true)
        #expect(try refusal("$sorce.name")?.hint == "did you mean $source?")
        // What a policy answers is known when a migration begins; variables of sub-queries are their own.
        _ = try NSMappingModel(
            compiled: archive { builder in
                let text = "FUNCTION($entityPolicy, \"any:\", SUBQUERY($source.a, $e, $e.b == 1))"
                return property(&builder, "x", try builder.expression(NSExpression(parsing: text)))
            })
        let other = archive { builder in
            let receiver = builder.add("NSVariableExpression", ["NSVariable": builder.text("source")])
            return property(
                &builder, "x",
                builder.add(
                    "NSFunctionExpression",
                    [
                        "NSOperand": receiver, "NSSelectorName": builder.text("delete:"),
                        "NSArguments": builder.collection("NSArray", []),
                    ]))
        }
        #expect(error(other)?.cause.contains("sent to an object") == true)
    }

    @Test(
        "mutated mapping models give a model or an error (HAZ-46)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func mutatedMappingModelsGiveModelOrError() throws {
        let url = Fixtures.url("stores/coredataplus/Tests/Resources/SampleModel/Fixtures/V2toV3.cdm")
        let mutator = ArchiveMutator([try Data(contentsOf: url), try CompiledMappingTests.rich().compiledData()])
        var random = SeededRandom(seed: TestSeed.first)
        var (read, refused) = (0, 0)
        for _ in 0..<(TestSeed.isExhaustive ? 100_000 : 500) {
            do {
                let model = try NSMappingModel(compiled: mutator.mutation(&random))
                _ = model.description
                _ = try? model.compiledData()
                read += 1
            } catch is ModelingError {
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0, "seed \(TestSeed.first)")
    }
}
