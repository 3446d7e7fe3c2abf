import CoreDataStore

/// Under which keys a copy has the records of the store that it was made of.
struct MovedKeys: Sendable {
    /// By the number of the root entity's layout and the former key.
    private var keys: [Int: [Int64: Int64]] = [:]

    subscript(root: Int, key: Int64) -> Int64? {
        get { keys[root]?[key] }
        set { keys[root, default: [:]][key] = newValue }
    }

    /// The key of the record of an object; nil for one that was not copied.
    func key(of object: NSManagedObject) -> Int64? { self[object.layout.root, object.key] }
}
