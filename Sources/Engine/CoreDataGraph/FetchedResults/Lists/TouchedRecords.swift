import CoreDataStore

/// The objects that may have changed their places in a list, each record once.
struct TouchedRecords {
    enum Reason {
        /// Its own values may have changed.
        case changed
        /// Others changed that it is placed by.
        case related
        /// Its record is known to be gone.
        case gone
    }

    typealias Record = (object: NSManagedObject, reason: Reason)

    private(set) var all: [Record] = []
    private var indexes: [RowKey: Int] = [:]
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) { self.context = context }

    /// Adds an object. If one of two objects for a record has left the context, the other counts.
    mutating func add(_ object: NSManagedObject, _ reason: Reason) {
        let place = RowKey(object)
        guard let index = indexes[place] else {
            indexes[place] = all.count
            return all.append((object, reason))
        }
        if all[index].object.registry !== context.registry { all[index] = (object, reason) }
    }
}
