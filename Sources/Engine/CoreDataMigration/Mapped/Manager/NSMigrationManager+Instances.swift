import CoreDataGraph

extension NSMigrationManager {
    /// Associates a destination object with its source object, for a mapping.
    func note(
        _ sourceInstance: NSManagedObject, makes destinationInstance: NSManagedObject, by entityMapping: NSEntityMapping
    ) {
        guard let session, let step = session.step(of: entityMapping) else {
            stop("NSMigrationManager.associate: the mapping '\(entityMapping.name ?? "?")' is not being migrated.")
        }
        guard let number = sourceInstance.recordNumber else {
            stop("NSMigrationManager.associate: the source object has never been saved.")
        }
        session.associations.add(number, destinationInstance, step: step.number)
    }

    /// The objects that a mapping made of the given source objects, in their order and each once; for nil, all objects
    /// that it made.
    func destinations(
        ofMapping mappingName: String, _ sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let session, let step = session.steps.first(where: { $0.mapping.name == mappingName }) else { return [] }
        guard let sourceInstances else { return session.allDestinations(step) }
        return session.destinations(of: sourceInstances, step: step.number)
    }

    /// The source objects of which a mapping made the given objects, in their order and each once; for nil, all of its
    /// source objects.
    func sources(
        ofMapping mappingName: String, _ destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let session, let step = session.steps.first(where: { $0.mapping.name == mappingName }) else { return [] }
        guard let destinationInstances else { return session.allSources(step) }
        return session.sources(of: destinationInstances, step: step.number)
    }
}

extension NSMigrationManager: CallAnswering {
    /// Calls one of the functions that Apple's mapping model editor uses in expressions; other functions are unknown.
    package func answer(toCall name: String, arguments: [Any?]) throws -> Any? {
        guard let function = MappingExpressions.ManagerFunction(rawValue: name), let session else {
            let known = MappingExpressions.ManagerFunction.allCases.map(\.rawValue)
            throw ExpressionError.unknownFunction(name, suggestion: closestName(to: name, in: known))
        }
        guard arguments.count == function.arity, let text = arguments[0] as? String else {
            throw ExpressionError.wrongArgumentCount(function: name, given: arguments.count)
        }
        switch function {
        case .fetchRequest: return try fetchRequest(ofEntity: text, where: arguments[1] as? String)
        case .destinationInstances:
            return destinationInstances(
                forEntityMappingName: text, sourceInstances: try objects(arguments[1], of: name))
        case .destinationInstancesOfRelationship:
            return session.destinations(of: try objects(arguments[1], of: name), step: nil)
        case .sourceInstances:
            return sourceInstances(
                forEntityMappingName: text, destinationInstances: try objects(arguments[1], of: name))
        }
    }

    /// A request for the objects of an entity, excluding those of subentities, which have their own mappings.
    private func fetchRequest(ofEntity name: String, where format: String?) throws -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        if let format, !format.isEmpty, format != "TRUEPREDICATE" {
            request.predicate = try NSPredicate(parsing: format)
        }
        return request
    }

    private func objects(_ value: Any?, of name: String) throws -> [NSManagedObject] {
        try ExpressionObjects.objects(of: value) {
            ExpressionError.wrongType(operation: name, type: String(describing: type(of: $0)))
        }
    }
}
