import CoreData
import StoreContract
import TestBasics
import Testing

/// The call that applications make in their own tests.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct MigrationTrialTests {
    @Test(
        "generated stores of every version of a real model reach the current one (MIG-21)",
        arguments: [
            "stores/ddg-browserserviceskit/Sources/Bookmarks/BookmarksModel.xcdatamodeld",
            "stores/ddg-browserserviceskit/Sources/DDGSync/SyncMetadata.xcdatamodeld",
        ])
    func versionsMigrate(package: String) throws {
        try MigrationTrial.expectVersionsToMigrate(of: Fixtures.url(package), objects: 60)
    }

    @Test("a version from which no path leads is a problem with its code, and so is an unknown one (MIG-10)")
    func versionWithoutAPathIsAProblem() throws {
        let package = Fixtures.url(
            "stores/wibosco-migration-example/CoreDataMigration-Example/CoreData/Model/CoreDataMigration_Example.xcdatamodeld"
        )
        let problems = try MigrationTrial.problems(
            of: package, from: ["CoreDataMigration_Example 2", "CoreDataMigration_Example 3", "None"], objects: 20)
        try #require(problems.count == 2)
        #expect(problems[0].hasPrefix("no path leads from 'CoreDataMigration_Example 2' to the current version: "))
        #expect(problems[0].contains("Post.sections"))
        #expect(problems[0].hasSuffix("[134140]"))
        #expect(problems[1].hasPrefix("no path leads from 'None'"))
    }
}
