import CoreData

/// The names of objects that a tab inserted and has not saved: `Hero/t1`.
///
/// Invariants:
/// 1. A name is given once; undo and redo of the insertion leave it with the same object.
/// 2. What has a name is held, because undo may bring it back.
final class StagedNames: ObjectNames {
    private var objects: [String: NSManagedObject] = [:]
    private var names: [ObjectIdentifier: String] = [:]
    /// All names, in the order in which they were given.
    private var given: [String] = []
    /// The number of the next name.
    var next = 1

    /// How an object is called, saved or not.
    func name(of object: NSManagedObject) -> String {
        names[ObjectIdentifier(object)] ?? object.objectID.shortText
    }

    func object(named name: String) -> NSManagedObject? {
        objects[name].flatMap { $0.isInserted && $0.managedObjectContext != nil ? $0 : nil }
    }

    /// Whether an object has a name of its own.
    func has(_ object: NSManagedObject) -> Bool { names[ObjectIdentifier(object)] != nil }

    /// Gives a new object its name.
    @discardableResult
    func give(_ object: NSManagedObject) -> String {
        if let name = names[ObjectIdentifier(object)] { return name }
        let name = "\(object.entity.name ?? "")/t\(next)"
        next += 1
        objects[name] = object
        names[ObjectIdentifier(object)] = name
        given.append(name)
        return name
    }

    /// Runs a block, and takes back the names that it gave if it throws.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        let (number, count) = (next, given.count)
        do {
            return try body()
        } catch {
            for name in given[count...] {
                if let object = objects.removeValue(forKey: name) { names[ObjectIdentifier(object)] = nil }
            }
            given.removeSubrange(count...)
            next = number
            throw error
        }
    }

    /// Forgets all names; numbers go on.
    func removeAll() {
        (objects, names, given) = ([:], [:], [])
    }
}
