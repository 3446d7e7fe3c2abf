import CoreDataStore

/// The number of objects of a save that had assigned values but were not written, since all values equal the stored
/// ones.
struct UnwrittenObjects {
    var count = 0
    /// The entity of the first of them.
    var entity: String?

    mutating func add(_ object: NSManagedObject) {
        count += 1
        if entity == nil { entity = object.entity.name }
    }
}
