import CoreData

extension EditSession {
    /// How an object of a scratch context is called.
    func scratchName(_ object: NSManagedObject) -> String {
        guard object.objectID.isTemporaryID else { return object.objectID.shortText }
        return context.registeredObject(for: object.objectID).map(names.name) ?? "\(object.entity.name ?? "")/new"
    }
}
