import CoreData

/// The heroes of one store file.
struct HeroDatabase {
    let container: NSPersistentContainer

    var context: NSManagedObjectContext { container.viewContext }

    /// Opens the store at the given place, which must be there already, or makes it, for which the place must be free.
    init(at store: URL, createsStore: Bool) throws {
        let exists = FileManager.default.fileExists(atPath: store.path)
        if createsStore && exists { throw Complaint("\(store.path) exists already") }
        if !createsStore && !exists { throw Complaint("there is no store at \(store.path)") }

        #if !canImport(ObjectiveC)
            // The program is called otherwise than its module, in which the model's class is to be found.
            ObjectClassResolver.register(module: "SuperDB")
        #endif
        UIColorRGBValueTransformer.register()
        container = NSPersistentContainer(name: "SuperDB", managedObjectModel: try Self.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
        // A description loads its store before the call returns unless it is told otherwise.
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// The heroes that fit the predicate, by name and then by secret identity.
    func heroes(matching predicate: NSPredicate? = nil) throws -> [Hero] {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.predicate = predicate
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: true),
            NSSortDescriptor(key: "secretIdentity", ascending: true),
        ]
        return try context.fetch(request)
    }

    private static func model() throws -> NSManagedObjectModel {
        guard let url = Bundle.module.url(forResource: "SuperDB", withExtension: "xcdatamodeld"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw Complaint("the model SuperDB.xcdatamodeld cannot be read") }
        return model
    }
}

/// Something that the user of the program can set right.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
