import CoreData

/// An open store with a context that collects what cannot be read.
final class Scene {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private let model: NSManagedObjectModel
    private var reports: [any Error] = []

    /// Opens a store; pages are written before a commit, and every commit moves the log into the file.
    init(
        _ url: URL, _ model: NSManagedObjectModel, journal: String = "wal", _ further: [AnyHashable: Any] = [:]
    ) throws {
        self.model = model
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: Self.options(journal).merging(further) { $1 })
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.retainsRegisteredObjects = true
        context.dataErrorHandler = { [weak self] error, _ in self?.reports.append(error) }
    }

    static func options(_ journal: String = "wal") -> [AnyHashable: Any] {
        [
            NSPersistentStoreTimeoutOption: 0,
            NSSQLitePragmasOption: ["journal_mode": journal, "wal_autocheckpoint": "1", "cache_size": "2"],
        ]
    }

    /// Takes the stores out of the coordinator, so that their files are closed.
    func close() {
        // A file that cannot be closed as it should is met by the next that opens it.
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// Throws the first of the errors that came where no call could throw it.
    func throwReported() throws { if let first = reports.first { throw first } }

    /// Every object as a line with its values, related objects by their names.
    func lines() throws -> [String] {
        var lines: [String] = []
        for entity in model.entities {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            lines += try context.fetch(request).map(line)
        }
        try throwReported()
        return lines.sorted()
    }

    private func line(_ object: NSManagedObject) -> String {
        var parts = [object.entity.name ?? ""]
        for name in object.entity.attributesByName.keys.sorted() {
            let value = object.value(forKey: name)
            let text = (value as? Data).map { "\($0.count) bytes of \($0.first ?? 0)" } ?? value.map { "\($0)" }
            parts.append("\(name)=\(text.map { String($0.prefix(40)) } ?? "nil")")
        }
        for name in object.entity.relationshipsByName.keys.sorted() {
            let members: [NSManagedObject] =
                switch object.value(forKey: name) {
                case let one as NSManagedObject: [one]
                case let list as NSOrderedSet: list.array as? [NSManagedObject] ?? []
                case let set as NSSet: set.allObjects as? [NSManagedObject] ?? []
                default: []
                }
            let isOrdered = object.entity.relationshipsByName[name]?.isOrdered == true
            let names = members.map(Self.name)
            parts.append("\(name)=\(isOrdered ? names : names.sorted())")
        }
        return parts.joined(separator: " ")
    }

    private static func name(_ object: NSManagedObject) -> String {
        let key = ["name", "title"].first { object.entity.attributesByName[$0] != nil } ?? "number"
        return object.value(forKey: key) as? String ?? "none"
    }
}
