import CoreDataGraph

/// The second pass: sets the relationships of the destination objects.
struct RelationshipPass {
    private let migration: MappedMigration
    private let session: MigrationSession
    private let manager: NSMigrationManager

    init(_ migration: MappedMigration) {
        self.migration = migration
        session = migration.session
        manager = migration.manager
    }

    func run() throws {
        // If an object has several sources, both ends of a relationship may lead to different sources, so no end is
        // redundant.
        if session.associations.tables.contains(where: \.hasSharedDestinations) {
            for step in session.steps { step.redundant = [:] }
        }
        for step in session.steps {
            manager.currentEntityMapping = step.mapping
            if step.setsRelationships { try relate(step) }
            try migration.call(step, method: "endRelationshipCreation(forMapping:manager:)") {
                try $0.endRelationshipCreation(forMapping: step.mapping, manager: manager)
            }
            try session.flush(step)
        }
    }

    private func relate(_ step: EntityStep) throws {
        var start = 0
        // Reads the count in each iteration, since a policy may add associations meanwhile.
        while start < session.associations.tables[step.number].count {
            let end = min(start + step.batchSize, session.associations.tables[step.number].count)
            try relate(step, start..<end)
            try session.flush(step, batchSize: step.batchSize)
            start = end
        }
    }

    private func relate(_ step: EntityStep, _ places: Range<Int>) throws {
        guard let store = session.destination.store, let sourceStore = session.source.store else { return }
        let table = session.associations.tables[step.number]
        let destinations = places.filter(table.isFirst).map { session.associations.number(table.destinations[$0]) }
        let objects = session.destination.context.objects(of: destinations, in: store)
        let sources = session.source.context.objects(
            of: places.map { session.associations.number(table.sources[$0]) }, in: sourceStore)
        try session.destination.context.readRows(of: objects)
        try session.source.context.readRows(of: sources)
        for object in objects {
            try migration.call(step, method: "createRelationships(forDestination:in:manager:)") {
                try $0.createRelationships(forDestination: object, in: step.mapping, manager: manager)
            }
            migration.advance()
        }
        withExtendedLifetime(sources) {}
    }
}
