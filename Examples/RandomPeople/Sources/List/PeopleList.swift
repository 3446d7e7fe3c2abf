import CoreData

/// The list of all people in a context.
struct PeopleList {
    let context: NSManagedObjectContext

    /// Everybody as the store has them now, by last name and then by first name.
    func people() throws -> [AWPerson] {
        // What other contexts have saved is read anew; what was changed here stays.
        context.refreshAllObjects()
        let request = NSFetchRequest<AWPerson>(entityName: "Person")
        request.sortDescriptors = [
            NSSortDescriptor(key: "lastName", ascending: true),
            NSSortDescriptor(key: "firstName", ascending: true),
        ]
        request.fetchBatchSize = 20
        return try context.fetch(request)
    }

    /// Inserts a random person and saves.
    @discardableResult
    func addRandomPerson(using generator: inout some RandomNumberGenerator) throws -> AWPerson {
        let person = AWPerson.random(in: context, using: &generator)
        try context.save()
        return person
    }
}
