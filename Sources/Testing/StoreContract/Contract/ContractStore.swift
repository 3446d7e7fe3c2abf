import CoreDataGraph
import TestBasics

/// The environment of one check: the kind of store, and URLs where the check can create stores.
public final class ContractStore {
    /// The kind of store.
    public let kind: StoreKind
    private let folder: TemporaryFolder?
    private var stacks: [Stack] = []
    private let location: @Sendable (String) throws -> URL

    init(kind: StoreKind, location: (@Sendable (String) throws -> URL)?) throws {
        self.kind = kind
        if let location {
            self.location = location
            folder = nil
        } else {
            let folder = try TemporaryFolder()
            self.location = { folder.url.appendingPathComponent("\($0).store") }
            self.folder = folder
        }
    }

    /// The URL for a new store.
    public func url(_ name: String) throws -> URL { try location(name) }

    /// Opens a stack with a new store; the stack exists until the check ends.
    public func open(_ model: NSManagedObjectModel, named name: String = "Contract") throws -> Stack {
        let stack = try Stack(model, url: url(name), kind: kind)
        stacks.append(stack)
        return stack
    }
}

/// The code of the Cocoa error that a block throws; nil when it throws none.
func errorCode(_ body: () throws -> Void) -> Int? {
    do { try body() } catch { return (error as NSError).code }
    return nil
}

extension NSManagedObjectContext {
    /// The only object of an entity whose attribute `name` is the given text.
    func named(_ name: String, _ entity: String) throws -> NSManagedObject {
        let found = try all(entity, NSPredicate(format: "name == %@", name))
        guard found.count == 1, let object = found.first else { throw ContractFailure.notOne(entity, found.count) }
        return object
    }

    /// The values of an attribute of all objects of an entity as texts, sorted.
    func texts(_ entity: String, _ key: String = "name") throws -> [String] {
        try all(entity).map { "\($0.value(forKey: key) ?? "nil")" }.sorted()
    }
}

extension NSManagedObject {
    /// The value of the attribute `name`.
    var nameValue: String? { value(forKey: "name") as? String }

    /// The related objects of a relationship of any kind, in its order if it is ordered.
    func related(_ key: String) -> [NSManagedObject] {
        switch value(forKey: key) {
        case let object as NSManagedObject: [object]
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }
}

/// An error that ends a check early.
enum ContractFailure: Error {
    case notOne(_ entity: String, _ count: Int)
    case noRecord(URL)
}
