import CoreDataGraph

/// The second pass: the objects that each mapping made get their relationships.
struct RelationshipPass {
    private let work: MappedMigration
    private let manager: NSMigrationManager

    init(_ work: MappedMigration) {
        self.work = work
        manager = work.manager
    }

    func run() throws {
        // What one end says of the first source alone, the other end may say of another.
        if work.associations.tables.contains(where: \.hasSharedDestinations) {
            for step in work.steps { step.redundant = [:] }
        }
        for step in work.steps {
            manager.currentEntityMapping = step.mapping
            if step.setsRelationships { try relate(step) }
            try work.call(step, "endRelationshipCreation(forMapping:manager:)") {
                try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
            }
            try work.flush(step)
        }
    }

    private func relate(_ step: EntityStep) throws {
        var start = 0
        // A policy may associate more meanwhile.
        while start < work.associations.tables[step.number].count {
            let end = min(start + step.batchSize, work.associations.tables[step.number].count)
            try relate(step, start..<end)
            try work.flush(step, batchSize: step.batchSize)
            start = end
        }
    }

    private func relate(_ step: EntityStep, _ places: Range<Int>) throws {
        guard let store = work.destination.store, let sourceStore = work.source.store else { return }
        let table = work.associations.tables[step.number]
        let destinations = places.filter(table.isFirst).map { work.associations.number(table.destinations[$0]) }
        let objects = work.destination.context.objects(of: destinations, in: store)
        let sources = work.source.context.objects(
            of: places.map { work.associations.number(table.sources[$0]) }, in: sourceStore)
        try work.destination.context.readRows(of: objects)
        try work.source.context.readRows(of: sources)
        for object in objects {
            try work.call(step, "createRelationships(forDestination:in:manager:)") {
                try step.policy.createRelationships(forDestination: object, in: step.mapping, manager: manager)
            }
            work.advance()
        }
        withExtendedLifetime(sources) {}
    }
}
