import CoreDataStore

/// The objects whose place in a list may have changed, one for each record.
struct TouchedRecords {
    enum Reason {
        /// Its own values may have changed.
        case changed
        /// Related objects changed that determine its place.
        case related
        /// Its record was deleted in the store.
        case gone
    }

    typealias Record = (object: NSManagedObject, reason: Reason)

    private(set) var all: [Record] = []
    private var indexes: [RowKey: Int] = [:]
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) { self.context = context }

    /// Adds an object. If two objects of one record are added and the first has left the context, the second replaces
    /// it.
    mutating func add(_ object: NSManagedObject, _ reason: Reason) {
        let place = RowKey(object)
        guard let index = indexes[place] else {
            indexes[place] = all.count
            return all.append((object, reason))
        }
        if all[index].object.registry !== context.registry { all[index] = (object, reason) }
    }
}
