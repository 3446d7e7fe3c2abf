import CoreDataGraph

/// The first pass: each mapping creates its destination objects.
struct InstancePass {
    private let migration: MappedMigration
    private let session: MigrationSession
    private let manager: NSMigrationManager

    init(_ migration: MappedMigration) {
        self.migration = migration
        session = migration.session
        manager = migration.manager
    }

    func run() throws {
        for step in session.steps where step.hasSources { step.sourceCount = try count(of: step) }
        migration.progress = MigrationProgress(session.steps)
        for step in session.steps {
            manager.currentEntityMapping = step.mapping
            try migration.call(step, method: "begin(_:with:)") { try $0.begin(step.mapping, with: manager) }
            if step.hasSources { try create(step) }
            try migration.call(step, method: "endInstanceCreation(forMapping:manager:)") {
                try $0.endInstanceCreation(forMapping: step.mapping, manager: manager)
            }
            try session.flush(step)
        }
    }

    private func create(_ step: EntityStep) throws {
        guard let request = try request(of: step) else {
            let objects = try listedObjects(of: step)
            step.batchSize = BatchSize.fitting(objects)
            for start in stride(from: 0, to: objects.count, by: step.batchSize) {
                for object in objects[start..<min(start + step.batchSize, objects.count)] { try create(object, step) }
                try session.flush(step, batchSize: step.batchSize)
            }
            return
        }
        step.batchSize = try BatchSize.fitting(request, in: session.source.context)
        var number = 0
        try FetchedObjects<NSManagedObject>(session.source.context, request, batchSize: step.batchSize).enumerateObjects
        {
            try create($0, step)
            number += 1
            // Saves after each batch of the fetch, so that the objects of the batch can become faults.
            if number % step.batchSize == 0 { try session.flush(step, batchSize: step.batchSize) }
        }
        try session.source.checkReading()
    }

    private func create(_ object: NSManagedObject, _ step: EntityStep) throws {
        try migration.call(step, method: "createDestinationInstances(forSource:in:manager:)") {
            try $0.createDestinationInstances(forSource: object, in: step.mapping, manager: manager)
        }
        migration.advance()
    }

    // MARK: Source objects

    /// The request that fetches the source objects; nil if an expression of the mapping returns them as a list.
    private func request(of step: EntityStep) throws -> UntypedFetchRequest? {
        guard let expression = step.mapping.sourceExpression else {
            guard let name = step.mapping.sourceEntityName else { return nil }
            return try request(MappingExpressions.objects(ofEntity: name, where: nil), step)
        }
        return try request(expression, step)
    }

    private func request(_ expression: NSExpression, _ step: EntityStep) throws -> UntypedFetchRequest? {
        guard case .fetch(let request, _, false) = expression.form else { return nil }
        guard let found = try value(of: request, step) as? UntypedFetchRequest else {
            throw failure(step, ExpressionError.unsupported("FETCH without a fetch request"))
        }
        return found
    }

    private func listedObjects(of step: EntityStep) throws -> [NSManagedObject] {
        guard let expression = step.mapping.sourceExpression else { return [] }
        let value = try value(of: expression, step)
        return try ExpressionObjects.objects(of: value) {
            failure(step, ExpressionError.wrongType(operation: "source", type: String(describing: type(of: $0))))
        }
    }

    private func value(of expression: NSExpression, _ step: EntityStep) throws -> Any? {
        let variables: [String: Any] = [
            NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: step.mapping,
            NSMigrationEntityPolicyKey: migration.policies[step.number],
        ]
        do {
            return try expression.value(on: nil, variables: variables)
        } catch {
            throw failure(step, error)
        }
    }

    private func failure(_ step: EntityStep, _ error: any Error) -> NSError {
        MigrationFailure.make(
            NSMigrationError, "The source objects of the mapping '\(step.mapping.name ?? "")' cannot be found.",
            at: step.place(), underlying: error)
    }

    private func count(of step: EntityStep) throws -> Int {
        guard let request = try request(of: step) else { return 0 }
        do {
            return (try session.source.context.result(ofRequest: request, isCountOnly: true) as? Int) ?? 0
        } catch {
            throw failure(step, error)
        }
    }
}
