import CoreDataStore

extension NSManagedObjectContext {
    /// Implements `detectConflicts(for:)`.
    func watchForConflicts(_ object: NSManagedObject) {
        checkQueue("detectConflicts(for:)")
        guard object.registry === registry else {
            stop("An NSManagedObjectContext cannot detect conflicts of objects in other contexts.")
        }
        guard !object.flags.contains(.temporary), !watchedForConflicts.contains(where: { $0 === object }) else {
            return
        }
        watchedForConflicts.append(object)
    }
}
