import CoreDataGraph

/// All values of a store as texts, by object, and the errors that the store and its context reported while reading.
public struct StoreOutline: Sendable {
    /// The values by object, as `Entity#key`, and property.
    public private(set) var objects: [String: [String: String]] = [:]
    /// The errors that the store and its context reported, one line each.
    public private(set) var reports: Set<String> = []

    /// Opens a store, reads every property of every object, and closes it.
    ///
    /// If `writes` is true, it then inserts an object of the first entity that needs no values, and saves.
    ///
    /// - Throws: what opening, reading or saving throws.
    public init(
        of url: URL, model: NSManagedObjectModel, kind: StoreKind = .sqlite, options: [AnyHashable: Any]? = nil,
        writes: Bool = false
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: url, options: options)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let reported = Reported()
        context.dataErrorHandler = { error, _ in reported.texts.insert(Self.line(of: error)) }
        for entity in model.entities {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            for object in try context.fetch(request) { objects[Self.name(object)] = Self.values(of: object) }
        }
        reports = reported.texts
        reports.formUnion((store.objects as? any StoreBackend)?.problems ?? [])
        guard writes, !store.isReadOnly, let entity = model.entities.first(where: Self.isPlain) else { return }
        _ = NSManagedObject(entity: entity, insertInto: context)
        try context.save()
    }

    /// The differences from another outline: `Entity#key` for an object that only one of them has,
    /// `Entity#key.property` for a value.
    public func differences(from other: StoreOutline) -> [String] {
        var differences: [String] = []
        for name in Set(objects.keys).union(other.objects.keys).sorted() {
            guard let mine = objects[name], let theirs = other.objects[name] else {
                differences.append(name)
                continue
            }
            for key in mine.keys.sorted() where mine[key] != theirs[key] { differences.append("\(name).\(key)") }
        }
        return differences
    }

    private final class Reported { var texts: Set<String> = [] }

    /// Whether a new object of an entity can be saved without setting values.
    private static func isPlain(_ entity: NSEntityDescription) -> Bool {
        !entity.isAbstract && entity.uniquenessConstraints.isEmpty
            && entity.properties.allSatisfy { property in
                property.isOptional || (property as? NSAttributeDescription)?.defaultValue != nil
            }
    }

    private static func name(_ object: NSManagedObject) -> String {
        "\(object.entity.name ?? "")#\(object.objectID.uriRepresentation().lastPathComponent)"
    }

    private static func values(of object: NSManagedObject) -> [String: String] {
        var values: [String: String] = [:]
        for name in object.entity.attributesByName.keys { values[name] = text(object.value(forKey: name)) }
        for (name, relationship) in object.entity.relationshipsByName {
            switch object.value(forKey: name) {
            case let one as NSManagedObject: values[name] = self.name(one)
            case let list as NSOrderedSet:
                values[name] = (list.array as? [NSManagedObject] ?? []).map(self.name).joined(separator: " ")
            case let set as NSSet:
                values[name] = (set.allObjects as? [NSManagedObject] ?? []).map(self.name).sorted()
                    .joined(separator: " ")
            default: values[name] = relationship.isToMany ? "none" : "nil"
            }
        }
        return values
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let data as Data: data.base64EncodedString()
        case let double as Double: "\(double.bitPattern)"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case let value?: "\(value)"
        }
    }

    private static func line(of error: any Error) -> String { (error as NSError).localizedDescription }
}
