import Foundation

/// Files of the fixtures that show how models changed from version to version.
enum MigrationFixture {
    static let books = "stores/objcio-issue4/BookMigration"
    static let posts = "stores/wibosco-migration-example/CoreDataMigration-Example/CoreData/Migration"
    static let coreDataPlus = "stores/coredataplus/Tests/Resources/SampleModel"
    static let moods = "models/objcio-moody/Migrations/Migrations"
    static let builds = "stores/xcservercoredata/Resources"
}
