import CoreDataStore

extension NSManagedObjectContext {
    func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        guard let coordinator = persistentStoreCoordinator else {
            throw CoreDataError.make(
                NSCoreDataError, "The context has no persistent store coordinator.",
                hint: "Set persistentStoreCoordinator before the context is used.")
        }
        let answer = try coordinator.execute(request, with: self)
        return answer as? NSPersistentStoreResult ?? PlainRequestResult(answer)
    }
}
