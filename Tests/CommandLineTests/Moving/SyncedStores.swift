import CoreData
import StoreContract
import Testing

/// Stores of one model that take part in sync over one folder, each as the tool sees it.
struct SyncedStores {
    let folder: URL
    let shared: String
    private(set) var paths: [String] = []

    /// Makes the stores; each joins, the first as the founder, with a hero named Ann.
    init(_ count: Int, joining: [String] = []) throws {
        folder = try Scratch.folder()
        shared = folder.appendingPathComponent("shared").path
        for number in 0..<count {
            let url = folder.appendingPathComponent("Store\(number).sqlite")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            for store in coordinator.persistentStores { try coordinator.remove(store) }
            paths.append(url.path)
        }
        try run("insert", paths[0], "Hero", "name=Ann", "strength=1")
        for path in paths {
            try run(["sync", "init", path, "--folder", shared] + (path == paths[0] ? [] : joining))
        }
        try exchange(rounds: 2)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Hero", ["name": .stringAttributeType, "strength": .integer64AttributeType])
        return builder.model
    }

    /// Runs the tool, which must succeed.
    @discardableResult func run(_ words: String...) throws -> Tool.Outcome { try run(words) }

    @discardableResult func run(_ words: [String]) throws -> Tool.Outcome {
        let outcome = try Tool.run(words)
        #expect(outcome.code == 0, "\(words): \(outcome.errors)")
        return outcome
    }

    func exchange(rounds: Int = 3) throws {
        for _ in 0..<rounds { for path in paths { try run("sync", "now", path) } }
    }

    func names(_ path: String) throws -> [String] {
        let outcome = try run("fetch", path, "Hero", "--keys", "name", "--format", "csv", "--sort", "name")
        return outcome.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }
}
