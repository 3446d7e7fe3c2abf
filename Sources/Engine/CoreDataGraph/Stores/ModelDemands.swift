import CoreDataStore
import Synchronization

/// The classes of entities and value transformers that a model names and the program must contain.
///
/// Missing ones are reported when a store is added, rather than when the first value is used. By default the store can
/// be used nevertheless, as with Apple's framework: objects are of class `NSManagedObject`, and values of attributes
/// without a transformer are stored as secure archives. With `CoreDataStrictModelOption`, adding the store fails.
enum ModelDemands {
    private static let reported = Mutex(Set<String>())

    /// - Throws: `NSPersistentStoreOpenError` that lists what is missing.
    static func require(_ model: NSManagedObjectModel, of url: URL) throws {
        let missing = missingClasses(model) + missingTransformers(model)
        guard !missing.isEmpty else { return }
        throw CoreDataError.make(
            NSPersistentStoreOpenError,
            "The store '\(url.path)' cannot be opened strictly: " + missing.prefix(20).joined(separator: " ")
                + (missing.count > 20 ? " And \(missing.count - 20) more." : ""),
            hint: "Bring what the model names, or leave out CoreDataStrictModelOption.")
    }

    /// Logs a warning, once in a process, for each missing transformer; missing classes are reported when the model is
    /// first used.
    static func report(_ model: NSManagedObjectModel) {
        for sentence in missingTransformers(model)
        where reported.withLock({ $0.insert(sentence).inserted }) {
            CoreDataLogging.report(.warning, sentence)
        }
    }

    private static func missingClasses(_ model: NSManagedObjectModel) -> [String] {
        sorted(model).compactMap { entity in
            ModelLayout.of(model).layout(of: entity)?.missingClass.map {
                "Unable to load class named '\($0)' for entity '\(entity.name ?? "")'."
            }
        }
    }

    private static func missingTransformers(_ model: NSManagedObjectModel) -> [String] {
        sorted(model).flatMap { entity in
            entity.ownProperties.compactMap { property in
                guard let attribute = property as? NSAttributeDescription else { return nil }
                return Transformation.missingTransformer(of: attribute).map {
                    ValueRejection.noTransformer(attribute, $0).description
                }
            }
        }
    }

    private static func sorted(_ model: NSManagedObjectModel) -> [NSEntityDescription] {
        model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }
}

extension NSPersistentStoreCoordinator {
    func checkDemands(of url: URL, strictly: Bool) throws {
        if strictly {
            try ModelDemands.require(managedObjectModel, of: url)
        } else {
            ModelDemands.report(managedObjectModel)
        }
    }
}
