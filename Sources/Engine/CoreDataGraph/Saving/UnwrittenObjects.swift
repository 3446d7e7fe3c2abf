import CoreDataStore

/// How many objects of a save had assigned values and nothing to be written.
struct UnwrittenObjects {
    var count = 0
    /// The entity of the first of them.
    var entity: String?

    mutating func add(_ object: NSManagedObject) {
        count += 1
        if entity == nil { entity = object.entity.name }
    }
}
