import CoreData
import CoreDataPostgres
import Foundation
import StoreContract
import TestServers

/// A store of heroes on a server, which several contexts use.
struct Heroes: @unchecked Sendable {
    /// Its coordinator may be used from any thread, its own context from none but the test's.
    let stack: Stack

    /// Makes a store with heroes named "0", "1" and so on, whose strength is their number.
    init(_ count: Int, on server: PostgresServer? = nil, options: [AnyHashable: Any] = [:], url: URL? = nil) throws {
        let server = try server ?? PostgresServer.shared.get()
        stack = try Stack(
            HeroModel.make(), url: url ?? server.makeURL("heroes"), kind: .postgreSQL, options: options)
        for number in 0..<count {
            stack.context.insert("Hero", ["name": "\(number)", "strength": number % 30_000])
        }
        try stack.context.save()
        stack.context.reset()
    }

    func newContext(_ name: String? = nil) -> NSManagedObjectContext {
        let context = stack.newContext()
        context.name = name
        return context
    }

    static func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    static func names(_ context: NSManagedObjectContext, _ format: String? = nil) throws -> [String] {
        try context.performAndWait {
            try context.fetch(request(format)).map { $0.value(forKey: "name") as? String ?? "" }
        }
    }

    static func count(_ context: NSManagedObjectContext) throws -> Int {
        try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero")) }
    }

    /// Inserts a hero and saves.
    static func add(_ name: String, _ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            context.insert("Hero", ["name": name])
            try context.save()
        }
    }
}
