@testable import CoreDataModeling
import CoreDataTestSupport
import Testing

/// What we write beside what Apple's compiler wrote, key by key.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct CompiledModelWriterTests {
    static let compiled = FixtureSupport.paths(endingIn: ".mom").filter { !$0.contains("freecoredata") }

    @Test func temporary() throws {
        var all: [ArchiveComparison.Difference: Int] = [:]
        for path in Self.compiled {
            let original = try Data(contentsOf: Fixtures.url(path))
            let written = try NSManagedObjectModel(compiled: original).compiledData()
            let comparison = try ArchiveComparison(original, written)
            print(path, comparison.count)
            for difference in comparison.differences { all[difference, default: 0] += 1 }
        }
        for (difference, count) in all { print("MOM", count, difference) }
        all = [:]
        for path in FixtureSupport.stores {
            guard let cached = try FixtureSupport.bookkeeping(of: path).cachedModel else { continue }
            let model = try NSManagedObjectModel(cachedModel: cached)
            let again = try model.cachedModel()
            let comparison = try ArchiveComparison(Inflate.expand(cached, limit: 1 << 26), Inflate.expand(again, limit: 1 << 26))
            print(path, comparison.count)
            for difference in comparison.differences { all[difference, default: 0] += 1 }
        }
        for (difference, count) in all { print("CACHE", count, difference) }
    }
}
