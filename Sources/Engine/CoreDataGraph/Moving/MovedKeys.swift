import CoreDataStore

/// The keys in a copy of the records of the store that was copied.
struct MovedKeys: Sendable {
    /// The key in the copy by the number of the root entity's layout and the key in the copied store.
    private var keys: [Int: [Int64: Int64]] = [:]

    subscript(root: Int, key: Int64) -> Int64? {
        get { keys[root]?[key] }
        set { keys[root, default: [:]][key] = newValue }
    }

    /// The key in the copy of an object's record; nil for one that was not copied.
    func key(of object: NSManagedObject) -> Int64? { self[object.layout.root, object.key] }
}
