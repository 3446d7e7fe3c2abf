import CoreDataGraph

/// The third pass: the policies perform their custom validation, then every destination object is validated against the
/// model.
struct ValidationPass {
    /// The number of validation errors after which the migration stops and reports them.
    private static let reportedCount = 20

    private let migration: MappedMigration
    private let session: MigrationSession
    private let manager: NSMigrationManager

    init(_ migration: MappedMigration) {
        self.migration = migration
        session = migration.session
        manager = migration.manager
    }

    func run() throws {
        for step in session.steps {
            manager.currentEntityMapping = step.mapping
            try migration.call(step, method: "performCustomValidation(forMapping:manager:)") {
                try $0.performCustomValidation(forMapping: step.mapping, manager: manager)
            }
            try session.flush(step)
        }
        for step in session.steps {
            manager.currentEntityMapping = step.mapping
            try migration.call(step, method: "end(_:manager:)") { try $0.end(step.mapping, manager: manager) }
            try session.flush(step)
        }
        for entity in session.destination.model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") })
        where !entity.isAbstract { try validate(entity) }
    }

    private func validate(_ entity: NSEntityDescription) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        request.relationshipKeyPathsForPrefetching = entity.relationshipsByName.values
            .filter { $0.isToMany && ($0.minCount > 0 || $0.maxCount > 0 || !$0.isOptional) }.map(\.name).sorted()
        var failures: [(object: NSManagedObject, error: any Error)] = []
        var number = 0
        let batchSize = try BatchSize.fitting(
            request.copy() as? UntypedFetchRequest ?? request, in: session.destination.context)
        try session.destination.context.objects(of: request, batchSize: batchSize).enumerateObjects { object in
            do { try object.validateForInsert() } catch {
                failures.append((object, error))
                if failures.count >= Self.reportedCount { throw failure(entity, failures) }
            }
            migration.advance()
            number += 1
            guard number % batchSize == 0 else { return }
            try manager.checkCancellation()
            session.refresh(batchSize)
        }
        try session.destination.checkReading()
        guard failures.isEmpty else { throw failure(entity, failures) }
    }

    /// The error for invalid objects; the underlying error is the only validation error, or one that contains all of
    /// them.
    private func failure(
        _ entity: NSEntityDescription, _ failures: [(object: NSManagedObject, error: any Error)]
    ) -> NSError {
        let first = failures[0].error as NSError
        let details = failures.map { $0.error as NSError }
        let underlying =
            details.count == 1
            ? first
            : CoreDataError.make(
                NSValidationMultipleErrorsError, "Multiple validation errors occurred.",
                userInfo: [NSDetailedErrorsKey: details])
        let objects = failures.prefix(3).map { "\($0.object.objectID.uriRepresentation().absoluteString)" }
        let property = (first.userInfo[NSDetailedErrorsKey] as? [NSError])?.first ?? first
        return MigrationFailure.make(
            NSMigrationError,
            "Migrated objects of entity '\(entity.name ?? "")' break rules of the model: \(objects.joined(separator: ", ")) "
                + "(code \(property.code): \(property.localizedDescription))",
            at: .init(
                entity: entity.name, property: property.userInfo[NSValidationKeyErrorKey] as? String),
            underlying: underlying)
    }
}
