import CoreData

/// The names of objects that a tab inserted and has not saved: `Hero/t1`.
///
/// Invariants:
/// 1. A name is assigned to one object only; undo and redo of the insertion do not change it.
/// 2. An object with a name is retained, because undo or redo may bring it back.
final class StagedNames: ObjectNames {
    private var objects: [String: NSManagedObject] = [:]
    private var names: [ObjectIdentifier: String] = [:]
    /// All names, in the order in which they were given.
    private var given: [String] = []
    /// The number of the next name.
    var next = 1

    /// The name in addresses of an object, saved or not.
    func name(of object: NSManagedObject) -> String {
        names[ObjectIdentifier(object)] ?? object.objectID.shortText
    }

    func object(named name: String) -> NSManagedObject? {
        objects[name].flatMap { $0.isInserted && $0.managedObjectContext != nil ? $0 : nil }
    }

    /// Whether an object has been assigned a name.
    func has(_ object: NSManagedObject) -> Bool { names[ObjectIdentifier(object)] != nil }

    /// Assigns a new object a name, unless it has one; returns the name.
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

    /// Runs a block; if the block throws, removes the names that it assigned.
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

    /// Removes all names; `next` continues to count.
    func removeAll() {
        (objects, names, given) = ([:], [:], [])
    }
}
