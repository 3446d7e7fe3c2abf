import CoreDataModeling
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct CompiledModelTests {
    /// The sources of a project with what they say.
    private func sources(of path: String) throws -> [(hashes: [String: Data], lines: [String])] {
        let project = path.split(separator: "/").prefix(2).joined(separator: "/") + "/"
        let paths = FixtureSupport.paths(endingIn: ".xcdatamodel/contents").filter { $0.hasPrefix(project) }
        return try paths.map { path in
            let model = try NSManagedObjectModel(reading: Fixtures.url(path))
            return (model.entityVersionHashesByName, ModelText.lines(model))
        }
    }

    /// How a model differs from the source of equal hashes that is nearest; nil if there is none.
    ///
    /// Versions of a source may have equal hashes and still differ, in their indexes for example.
    private func difference(_ model: NSManagedObjectModel, from path: String) throws -> [String]? {
        let hashes = model.entityVersionHashesByName
        let lines = ModelText.lines(model)
        let differences = try sources(of: path).filter { $0.hashes == hashes }.map { source in
            lines.difference(from: source.lines).map { "\($0)" }.filter { line in
                // This fetch was edited in its source after the model had been compiled.
                if line.contains("fetchTheDucks") { return false }
                // The tools of 2016 and 2017 that made these stores kept no fetch indexes.
                return !(path.contains("xcservercoredata") && path.hasSuffix(".sqlite") && line.contains("  indexes "))
            }
        }
        return differences.min { $0.count < $1.count }
    }

    @Test("models compiled by Apple say what their sources say (MOD-04)")
    func compiledModelsSayWhatTheirSourcesSay() throws {
        var compared = 0
        for path in FixtureSupport.paths(endingIn: ".mom") where !path.contains("freecoredata") {
            let model = try NSManagedObjectModel(reading: Fixtures.url(path))
            guard let difference = try difference(model, from: path) else { continue }
            #expect(difference.isEmpty, "\(path)")
            compared += 1
        }
        #expect(compared == 15)
    }

    @Test("the models that stores keep say what their sources say (MOD-04, HAZ-16)")
    func keptModelsSayWhatTheirSourcesSay() throws {
        var compared = 0
        for path in FixtureSupport.stores {
            guard let cached = try FixtureSupport.bookkeeping(of: path).cachedModel else { continue }
            guard let difference = try difference(NSManagedObjectModel(cachedModel: cached), from: path) else {
                continue
            }
            #expect(difference.isEmpty, "\(path)")
            compared += 1
        }
        #expect(compared == 14)
    }

    @Test("predicates that a kept model holds come back with their texts (VAL-03)")
    func keptValidationPredicatesComeBack() throws {
        let path = "stores/coredataplus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"
        let cached = try #require(try FixtureSupport.bookkeeping(of: path).cachedModel)
        let model = try NSManagedObjectModel(cachedModel: cached)
        let titles = model.entities.compactMap { $0.attributesByName["title"] }.filter { !$0.validationRules.isEmpty }
        let title = try #require(titles.first)
        #expect(
            title.validationPredicates.map(\.formatString) == [
                "length >= 3 AND length <= 50", #"SELF CONTAINS "title""#,
            ])
        #expect(
            title.validationWarnings as? [String] == [
                "Title must have a length between 3 and 50 chars.", "Title must contain 'title'.",
            ])
        #expect(title.validationPredicates.last?.evaluate(with: "a title") == true)
        #expect(title.validationPredicates.last?.evaluate(with: "a name") == false)
    }
}
