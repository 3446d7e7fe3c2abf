import CoreData
import CoreDataWorkbench
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct ModelFitTests {
    private let sources = Fixtures.url("stores/xcservercoredata/Resources/XCServerCoreData.xcdatamodeld")
    private let compiled = Fixtures.url("stores/xcservercoredata/Tests/XCServerCoreData.momd")

    @Test func packageHasAllItsVersionsAndKnowsTheCurrentOne() throws {
        let package = try ModelPackage(at: sources)
        #expect(package.versions.count == 7)
        #expect(package.versions.filter(\.isCurrent).map(\.name) == ["XCServerCoreData2.0.3"])
        #expect(try ModelPackage(at: compiled).current().name == "XCServerCoreData2.0.2")
    }

    @Test func compiledAndSourceOfAVersionHaveTheSameHashes() throws {
        let source = try ModelPackage(at: sources.appendingPathComponent("XCServerCoreData1.2.0.xcdatamodel")).current()
        let mom = try ModelPackage(at: compiled.appendingPathComponent("XCServerCoreData1.2.0.mom")).current()
        #expect(source.model.entityVersionHashesByName == mom.model.entityVersionHashesByName)
    }

    @Test func versionThatMatchesTheHashesIsFoundAndTheOthersDiffer() throws {
        let package = try ModelPackage(at: sources)
        let hashes = try #require(package.versions.first { $0.name == "XCServerCoreData1.2.0" })
            .model.entityVersionHashesByName
        let fits = package.fits(hashes: hashes)
        #expect(fits.filter(\.matches).map(\.version.name).contains("XCServerCoreData1.2.0"))
        let other = try #require(fits.first { $0.version.name == "XCServerCoreData2.0.0" })
        #expect(!other.matches)
        #expect(!other.differenceText.isEmpty)
    }

    @Test func differencesSayWhereAnEntityIsMissing() throws {
        let version = try ModelPackage(at: sources.appendingPathComponent("XCServerCoreData1.2.0.xcdatamodel"))
            .current()
        var hashes = version.model.entityVersionHashesByName
        let removed = try #require(hashes.keys.min())
        hashes[removed] = nil
        hashes["Ghost"] = Data(count: 32)
        #expect(
            ModelFit(version, hashes: hashes).differenceText
                == [removed + " (not in the store)", "Ghost (not in the model)"].sorted().joined(separator: ", "))
    }

    @Test("a folder without a model and a missing path are refused with the path (HAZ-46)")
    func refusesPathsWithoutModel() throws {
        let folder = try Fixtures.temporaryFolder()
        for url in [folder, folder.appendingPathComponent("none.momd")] {
            let error = #expect(throws: InspectionError.self) { try ModelPackage(at: url) }
            #expect(error?.description.contains(url.path) == true)
        }
    }
}
