import CoreData
import TestBasics
import Testing

@Suite("Recovery of stores damaged at random", .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct RandomDamageTests {
    static let stores = [
        "stores/coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite",
        "stores/ddg-browserserviceskit/Tests/BookmarksTests/Resources/Bookmarks_V4.sqlite",
        "stores/plaso-testdata/test_data/ios/DataUsage.sqlite",
        "stores/coredataplus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite",
        "stores/xcservercoredata/Tests/XCServerCoreData_1.2.0.sqlite",
    ]

    @Test(
        "99 of 100 rows whose pages are whole come back, with the values that they had (HAZ-04, TOOL-16)",
        arguments: stores)
    func wholeRowsComeBack(path: String) throws {
        let copy = try DamagedCopy(path)
        var total = DamagedCopy.Score()
        for seed in TestSeed.sequences(3, exhaustive: 40) {
            var random = SeededRandom(seed: seed)
            let score = try copy.score(&random)
            total.whole += score.whole
            total.recovered += score.recovered
            total.changed += score.changed
            #expect(score.recovered * 100 >= score.whole * 90, "seed \(seed): \(score)")
        }
        print("recovery of \(path): \(total)")
        #expect(total.whole > 0 && total.recovered * 100 >= total.whole * 99, "\(total)")
        #expect(total.changed * 1000 <= total.recovered, "\(total)")
    }
}
