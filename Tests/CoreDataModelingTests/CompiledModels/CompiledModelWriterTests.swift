import TestBasics
import Testing

@testable import CoreDataModeling

/// What we write beside what Apple's compiler and framework wrote, key by key.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct CompiledModelWriterTests {
    /// A place where our archives differ from Apple's on purpose.
    struct Exception {
        let place: String
        /// What Apple's archive has there; any for nil.
        var original: String?
        let reason: String
    }

    static let exceptionsInFiles = [
        Exception(place: "NSManagedObjectModel.CDMCompilerToolVersion", reason: "Apple's compiler signs its work"),
        Exception(place: "NSManagedObjectModel.CDMCompilerXcodeVersion", reason: "Apple's compiler signs its work"),
        Exception(
            place: "NSFetchRequest.NSAllocationType", original: "no key",
            reason: "the compilers of 2016 had no such key"),
        Exception(
            place: "NSFetchIndexDescription.NSEntity", original: "null",
            reason: "the compilers of 2016 did not point back from the index of an attribute"),
        Exception(
            place: "NSDecimalNumberPlaceholder.NS.exponent", original: "integer(-1)",
            reason: "0.0 as a default: the value is the same"),
    ]

    static let exceptionsInStores = [
        Exception(
            place: "NSDecimalNumberPlaceholder.NS.exponent",
            reason: "a decimal is a decimal, however its digits and exponent share its value"),
        Exception(
            place: "NSEntityDescription.NSUniqueTuples", original: "NSMutableArray",
            reason: "models made in code: an empty list is none"),
        Exception(
            place: "NSEntityDescription.NSRenamingIdentifier", original: "NSMutableString",
            reason: "a text is a text, whether it may change or not"),
        Exception(
            place: "NSAttributeDescription.NSDefaultValue", original: "NSMutableString",
            reason: "a text is a text, whether it may change or not"),
        Exception(
            place: "NSManagedObjectModel.NSVersionIdentifiers", original: "NSMutableSet",
            reason: "models made in code; a set is a set"),
        Exception(
            place: "NSFetchIndexDescription.NSIndexElements", original: "NSMutableArray",
            reason: "models made in code; a list is a list"),
        Exception(
            place: "NSAttributeDescription.NSValidationPredicates", original: "NSArray",
            reason: "models made in code; a list is a list"),
        Exception(
            place: "NSAttributeDescription.NSValidationWarnings", original: "NSArray",
            reason: "models made in code; a list is a list"),
        Exception(
            place: "NSEntityDescription.NSSubentities", original: "null",
            reason: "models that were never compiled; no sub-entities either way"),
        Exception(
            place: "NSEntityDescription.NSFetchIndexDescriptions", original: "NSMutableArray",
            reason: "an empty list of indexes is left out, as Apple's compiler does"),
        Exception(
            place: "NSEntityDescription.NSCompoundIndexes", original: "NSMutableArray",
            reason: "an empty list of indexes is left out, as Apple's compiler does"),
        Exception(
            place: "NSAttributeDescription.NSDefaultValue", original: "CoreDataPlus_Tests.Cover",
            reason: "an instance of an application's class; nothing of the kind is instantiated"),
    ]

    private func unexpected(
        _ comparison: ArchiveComparison, _ exceptions: [Exception], used: inout Set<Int>
    ) -> [ArchiveComparison.Difference] {
        comparison.differences.filter { difference in
            let index = exceptions.firstIndex { exception in
                exception.place == difference.place
                    && (exception.original == nil || exception.original == difference.original)
            }
            if let index { used.insert(index) }
            return index == nil
        }
    }

    static let compiled = FixtureSupport.paths(endingIn: ".mom").filter { !$0.contains("freecoredata") }

    @Test("a compiled model is written as Apple's compiler wrote it, class by class and key by key (MOD-04)")
    func compiledModelsAreWrittenAsTheyWere() throws {
        var used = Set<Int>()
        var objects = 0
        for path in Self.compiled {
            let original = try Data(contentsOf: Fixtures.url(path))
            let written = try NSManagedObjectModel(compiled: original).compiledData()
            let comparison = try ArchiveComparison(original, written)
            #expect(unexpected(comparison, Self.exceptionsInFiles, used: &used) == [], "\(path)")
            objects += comparison.count
        }
        #expect(Self.compiled.count >= 15)
        #expect(objects > 2000)
        #expect(used.count == Self.exceptionsInFiles.count, "an exception that nothing needs")
    }

    @Test("the model in a store is written as Apple's framework wrote it, class by class and key by key (HAZ-16)")
    func keptModelsAreWrittenAsTheyWere() throws {
        var used = Set<Int>()
        var compared = 0
        for path in FixtureSupport.stores {
            guard let kept = try FixtureSupport.bookkeeping(of: path).cachedModel else { continue }
            let again = try NSManagedObjectModel(cachedModel: kept).cachedModel()
            let comparison = try ArchiveComparison(
                Inflate.expand(kept, limit: 1 << 26), Inflate.expand(again, limit: 1 << 26))
            #expect(unexpected(comparison, Self.exceptionsInStores, used: &used) == [], "\(path)")
            compared += 1
        }
        #expect(compared >= 18)
        #expect(used.count == Self.exceptionsInStores.count, "an exception that nothing needs")
    }

    // MARK: From sources

    static let exceptionsFromSources =
        exceptionsInFiles.filter { $0.place != "NSFetchIndexDescription.NSEntity" } + [
            Exception(
                place: "NSEntityDescription.NSFetchIndexDescriptions",
                reason: "Apple's compiler makes an index of every attribute that is marked as indexed in the old way"),
            Exception(
                place: "NSEntityDescription.NSCompoundIndexes", reason: "goes with the list of indexes"),
            Exception(
                place: "NSAttributeDescription.NSIsIndexed", original: "boolean(true)",
                reason: "Apple's compiler marks an attribute that has a fetch index"),
            Exception(
                place: "NSAttributeDescription.NSAttributeValueClassName",
                reason: "Apple's compiler takes the class of a transformable from the source of the class"),
        ]
        + ["NSFetchRequest.NSBatchSize", "NSFetchRequest.NSFetchLimit", "NSFetchRequest.NSFetchRequestFlags"].map {
            Exception(place: $0, reason: "a fetch of zeeql-contacts was edited in its source after the compilation")
        }

    @Test("a source is compiled as Apple's compiler did it, class by class and key by key (MOD-04)")
    func sourcesAreCompiledAsAppleDid() throws {
        var used = Set<Int>()
        var compared = 0
        for path in Self.compiled {
            let original = try Data(contentsOf: Fixtures.url(path))
            let hashes = try NSManagedObjectModel(compiled: original).entityVersionHashesByName
            let project = path.split(separator: "/").prefix(2).joined(separator: "/") + "/"
            var nearest: [ArchiveComparison.Difference]?
            for source in FixtureSupport.paths(endingIn: ".xcdatamodel/contents") where source.hasPrefix(project) {
                let model = try NSManagedObjectModel(reading: Fixtures.url(source))
                guard model.entityVersionHashesByName == hashes else { continue }
                let comparison = try ArchiveComparison(original, model.compiledData())
                let rest = unexpected(comparison, Self.exceptionsFromSources, used: &used)
                if nearest.map({ rest.count < $0.count }) ?? true { nearest = rest }
            }
            guard let nearest else { continue }
            #expect(nearest == [], "\(path)")
            compared += 1
        }
        #expect(compared >= 15)
        #expect(used.count == Self.exceptionsFromSources.count, "an exception that nothing needs: \(used)")
    }

    @Test("every source says the same after it has been compiled, and has the same hashes (MOD-02, MOD-36)")
    func everySourceSurvivesCompilation() throws {
        var compared = 0
        for path in FixtureSupport.paths(endingIn: ".xcdatamodel") {
            let model = try NSManagedObjectModel(reading: Fixtures.url(path))
            let bytes = try model.compiledData()
            let again = try NSManagedObjectModel(compiled: bytes)
            #expect(ModelText.lines(again) == ModelText.lines(model), "\(path)")
            #expect(again.entityVersionHashesByName == model.entityVersionHashesByName, "\(path)")
            #expect(try again.compiledData() == bytes, "\(path): the bytes differ from one writing to the next")
            let kept = try NSManagedObjectModel(cachedModel: model.cachedModel())
            #expect(ModelText.lines(kept) == ModelText.lines(model), "\(path)")
            compared += 1
        }
        #expect(compared >= 164)
    }
}
