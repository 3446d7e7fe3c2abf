import CoreDataStore

/// The entity of a batch request: given, or named until the request is executed with a coordinator's model.
struct BatchEntity {
    let name: String
    private let given: NSEntityDescription?

    init(_ name: String) {
        self.name = name
        given = nil
    }

    init(_ entity: NSEntityDescription) {
        name = entity.name ?? ""
        given = entity
    }

    /// The given entity, or the one with that name in the model loaded last; stops the program when no model has one.
    var description: NSEntityDescription {
        guard let entity = given ?? KnownEntities.entity(named: name) else {
            stop("No model in use has an entity named '\(name)'; load the model first, or give the entity itself.")
        }
        return entity
    }

    /// - Throws: `NSCoreDataError` for an entity that the model does not have.
    func layout(in model: ModelLayout) throws -> EntityLayout {
        if let layout = given.flatMap(model.layout(of:)) ?? model.layout(named: name) { return layout }
        let near = NameSuggestion(for: name, in: model.entities.compactMap(\.entity.name))
        throw CoreDataError.make(
            NSCoreDataError, "The model has no entity named '\(name)'.", hint: near?.sentence)
    }
}
