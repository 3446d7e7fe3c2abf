import CoreDataStore
import Synchronization

/// The entities that coordinators have loaded, by the class of their objects: for `NSManagedObject.entity()`.
enum KnownEntities {
    private struct Reference: Sendable {
        weak var model: NSManagedObjectModel?
    }

    private static let models = Mutex<[Reference]>([])

    static func add(_ model: NSManagedObjectModel) {
        guard !model.servesMigration else { return }
        models.withLock { models in
            models.removeAll { $0.model == nil || $0.model === model }
            models.append(Reference(model: model))
        }
    }

    /// The entity of a name, in the model loaded last that has one.
    static func entity(named name: String) -> NSEntityDescription? {
        models.withLock { $0.compactMap(\.model) }.reversed().lazy
            .compactMap { ModelLayout.of($0).layout(named: name)?.entity }.first
    }

    private static let placeholders = Mutex<[ObjectIdentifier: NSManagedObjectModel]>([:])

    /// The placeholder entity of a class that no model names: with the class's name and without properties.
    static func unclaimed(_ objectClass: NSManagedObject.Type) -> NSEntityDescription {
        ModelLayout.of(placeholder(objectClass)).entities[0].entity
    }

    /// The model with that entity.
    static func placeholder(_ objectClass: NSManagedObject.Type) -> NSManagedObjectModel {
        placeholders.withLock { placeholders in
            if let model = placeholders[ObjectIdentifier(objectClass)] { return model }
            let entity = NSEntityDescription()
            entity.name = "\(objectClass)"
            let model = NSManagedObjectModel()
            model.entities = [entity]
            placeholders[ObjectIdentifier(objectClass)] = model
            return model
        }
    }

    /// The entity of a class; of several the one named like the class, then that of the model loaded last.
    static func entity(of objectClass: NSManagedObject.Type) -> NSEntityDescription? {
        let candidates = models.withLock { $0.compactMap(\.model) }.reversed()
            .flatMap { ModelLayout.of($0).entities }.filter { $0.objectClass == objectClass }.map(\.entity)
        return candidates.first { $0.name == "\(objectClass)" } ?? candidates.first
    }
}
