import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// A store in a folder of its own that is opened with one version of a model after another.
final class MigrationScene {
    static var automatic: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    let url: URL
    var options = MigrationScene.automatic
    private let folder: TemporaryFolder

    /// Makes a store of a version and fills it.
    init(
        _ model: NSManagedObjectModel, options: [AnyHashable: Any] = [:],
        _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Test.sqlite")
        try with(model, options: options) { context in
            try fill(context)
            try context.save()
        }
    }

    /// Opens the store with a version, migrating it if it is of another, and closes it afterwards.
    @discardableResult
    func with<Result>(
        _ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil,
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let stack = try Stack(model, url: url, options: options ?? self.options)
        defer { try? stack.coordinator.remove(stack.store) }
        return try body(stack.context)
    }

    /// Asks the file itself.
    func rows(_ sql: String) throws -> [[Value]] {
        let connection = try Connection.open(url.path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        return try connection.rows(sql)
    }

    func value(_ sql: String) throws -> Value? { try rows(sql).first?.first }

    /// All bytes of the file and its log, to see that nothing was written.
    var bytes: [Data?] { ["", "-wal"].map { FileManager.default.contents(atPath: url.path + $0) } }

    /// The names of what is in the store's folder.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// A model in a few lines.
    static func model(_ build: (ModelBuilder) -> Void) -> NSManagedObjectModel {
        let builder = ModelBuilder()
        build(builder)
        return builder.model
    }
}
