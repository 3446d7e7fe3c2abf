import CoreDataStore

/// The number of objects of a save with assigned values that were not written, since all equal the stored ones.
struct UnwrittenObjects {
    var count = 0
    /// The entity of the first of them.
    var entity: String?

    mutating func add(_ object: NSManagedObject) {
        count += 1
        if entity == nil { entity = object.entity.name }
    }
}
