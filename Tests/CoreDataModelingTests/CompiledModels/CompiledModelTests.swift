import CoreDataModeling
import CoreDataTestSupport
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct CompiledModelTests {
    static let pairs = [
        (
            "models/swiftgen-fixture/SwiftGen.playground/Resources/Model.momd/Model 2.mom",
            "models/swiftgen-fixture/Sources/TestUtils/Fixtures/Resources/CoreData/Model.xcdatamodeld/Model 2.xcdatamodel"
        ),
        (
            "stores/coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd/SampleModel.mom",
            "stores/coredataplus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"
        ),
        (
            "stores/xcservercoredata/Tests/XCServerCoreData.momd/XCServerCoreData2.0.1.mom",
            "stores/xcservercoredata/Resources/XCServerCoreData.xcdatamodeld/XCServerCoreData2.0.1.xcdatamodel"
        ),
    ]

    @Test("MOD-04: a model compiled by Apple says what its source says", arguments: pairs)
    func compiledModelSaysWhatItsSourceSays(compiled: String, source: String) throws {
        let fromCompiled = ModelText.lines(try NSManagedObjectModel(reading: Fixtures.url(compiled)))
        let fromSource = ModelText.lines(try NSManagedObjectModel(reading: Fixtures.url(source)))
        let difference = fromCompiled.difference(from: fromSource)
        #expect(difference.isEmpty, "\(difference.map { "\($0)" }.joined(separator: "\n"))")
    }
}
