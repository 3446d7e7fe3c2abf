import CoreData
import Synchronization

/// A store's model as a user may see it: a copy without what the rules hide.
///
/// Columns, orders, predicates, searches, facets and errors use this copy, so none of them can name or reveal hidden
/// parts. Objects are read with the store's own model.
struct ShownModel: @unchecked Sendable {
    let hidden: HiddenParts
    /// Not changed after `init`.
    let model: NSManagedObjectModel

    init(_ whole: NSManagedObjectModel, without hidden: HiddenParts) {
        self.hidden = hidden
        model = whole.copy() as? NSManagedObjectModel ?? NSManagedObjectModel()
        for entity in model.entities { removeProperties(of: entity) }
        for entity in model.entities { repair(entity) }
        model.entities = model.entities.filter { hidden.shows(entity: $0.name ?? "") }
        for name in model.templatesByName.keys where !isShown(template: name) {
            model.setFetchRequestTemplate(nil, forName: name)
        }
    }

    private func removeProperties(of entity: NSEntityDescription) {
        let gone = entity.properties.filter { hidden.contains($0.name, of: entity) }
        let inverses = gone.compactMap { ($0 as? NSRelationshipDescription)?.inverseRelationship }
        for inverse in inverses { inverse.inverseRelationship = nil }
        entity.properties = entity.properties.filter { property in !gone.contains { $0 === property } }
    }

    /// Removes indexes, uniqueness constraints and subentities that refer to hidden parts.
    private func repair(_ entity: NSEntityDescription) {
        let isKnown = { (path: String?) in path.flatMap { PropertyPath($0, in: entity) } != nil }
        entity.indexes = entity.indexes.filter { $0.elements.allSatisfy { isKnown($0.propertyName) } }
        entity.uniquenessConstraints = entity.uniquenessConstraints.filter { constraint in
            constraint.allSatisfy { isKnown(($0 as? NSPropertyDescription)?.name ?? $0 as? String) }
        }
        let shown = entity.subentities.filter { hidden.shows(entity: $0.name ?? "") }
        if shown.count != entity.subentities.count { entity.subentities = shown }
    }

    /// Whether a fetch request of the model names nothing that is hidden.
    private func isShown(template name: String) -> Bool {
        guard let template = model.templatesByName[name],
            let entity = template.entityName.flatMap({ model.entitiesByName[$0] })
        else { return false }
        guard let format = template.predicateFormat else { return true }
        return (try? ObjectQuery(entity, where: format)) != nil
    }
}

/// The shown models of one store; users from whom the same parts are hidden share one.
final class ShownModelCache: Sendable {
    /// The cache is emptied when there would be more models than this.
    private static let limit = 32

    private let known: Mutex<[HiddenParts: ShownModel]> = Mutex([:])

    func model(_ whole: NSManagedObjectModel, without hidden: HiddenParts) -> ShownModel {
        known.withLock { known in
            if let model = known[hidden] { return model }
            if known.count >= Self.limit { known.removeAll() }
            let model = ShownModel(whole, without: hidden)
            known[hidden] = model
            return model
        }
    }
}
