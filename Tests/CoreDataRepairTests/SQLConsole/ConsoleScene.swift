import CoreData
import CoreDataRepair
import StoreContract
import TestBasics
import Testing

/// The five heroes in a store whose file nobody has open, asked by statements.
struct ConsoleScene {
    let url: URL
    private let folder: TemporaryFolder
    private let model: NSManagedObjectModel

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Heroes.sqlite")
        model = try SuperDB.model()
        let stack = try Stack(model, url: url, options: [NSPersistentHistoryTrackingKey: true])
        SuperDB.fill(stack.context)
        try stack.context.save()
        let hero = try #require(try stack.context.all("Hero", sortedBy: "name").first)
        stack.context.insert("Power", ["name": "Flight", "hero": hero])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    /// Another process's view of the store, which stays open.
    func stack() throws -> Stack { try Stack(model, url: url, options: [NSPersistentHistoryTrackingKey: true]) }

    func ask(
        _ sql: String, _ parameters: [String: String] = [:], limit: Int = 1_000, time: Duration = .seconds(5)
    ) throws -> SQLAnswer {
        try SQLiteConsole(storeAt: url, model: model, configuration: nil)
            .answer(SQLQuery(sql: sql, parameters: parameters, limit: limit, time: time))
    }

    /// The error that a statement is refused with.
    func error(_ sql: String, _ parameters: [String: String] = [:]) throws -> SQLConsoleError? {
        do {
            _ = try ask(sql, parameters)
            return nil
        } catch let error as SQLConsoleError {
            return error
        }
    }

    /// The bytes of all files beside the store.
    func bytes() throws -> [String: Data] {
        var bytes: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where !name.hasSuffix("-shm") {
            bytes[name] = try Data(contentsOf: folder.url.appendingPathComponent(name))
        }
        return bytes
    }

    var folderURL: URL { folder.url }
}
