import CoreDataStore

extension NSManagedObjectContext {
    /// Obtains permanent identifiers from the parent for objects that the parent has not saved yet.
    func obtainIdentifiers(of objects: [NSManagedObject], from parent: NSManagedObjectContext) throws {
        guard !objects.isEmpty else { return }
        try ask(parent) {
            try parent.obtainPermanentIDs(for: objects.compactMap(parent.counterpart))
        }
        takeIdentities()
    }
}
