import CoreDataStore
import Synchronization

/// The models that coordinators have loaded, to find the entity of a class for `NSManagedObject.entity()`. Models are
/// referenced weakly.
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

    /// Returns the entity with a name in the most recently loaded model that has one.
    static func entity(named name: String) -> NSEntityDescription? {
        models.withLock { $0.compactMap(\.model) }.reversed().lazy
            .compactMap { ModelLayout.of($0).layout(named: name)?.entity }.first
    }

    private static let placeholders = Mutex<[ObjectIdentifier: NSManagedObjectModel]>([:])

    /// Returns the placeholder entity of a class that no model names: it has the class's name and no properties.
    static func unclaimed(_ objectClass: NSManagedObject.Type) -> NSEntityDescription {
        ModelLayout.of(placeholder(objectClass)).entities[0].entity
    }

    /// Returns the model with the placeholder entity of a class.
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

    /// Returns the entity of a class. If several entities have the class, the one with the class's name is preferred,
    /// then one of the most recently loaded model.
    static func entity(of objectClass: NSManagedObject.Type) -> NSEntityDescription? {
        let candidates = models.withLock { $0.compactMap(\.model) }.reversed()
            .flatMap { ModelLayout.of($0).entities }.filter { $0.objectClass == objectClass }.map(\.entity)
        return candidates.first { $0.name == "\(objectClass)" } ?? candidates.first
    }
}
