import CoreDataGraph

extension MappedMigration {
    /// Calls a method of a step's policy.
    ///
    /// - Throws: the error of a cancellation; what the default policy throws; 134170 for what a program's own policy throws.
    func call(_ step: EntityStep, _ method: String, _ body: () throws -> Void) throws {
        try manager.checkCancellation()
        do {
            try body()
        } catch {
            try manager.checkCancellation()
            guard !step.hasDefaultPolicy else { throw error }
            let place = step.place(method)
            throw MigrationFailure.make(
                NSEntityMigrationPolicyError,
                "The policy '\(type(of: step.policy))' of \(place.text) failed in \(method).", at: place,
                underlying: error)
        }
        try manager.checkCancellation()
    }

    /// Counts one object as done with in one pass.
    func advance() {
        progress.done += 1
        if progress.done & 63 == 0 { manager.note(progress: progress.fraction) }
    }
}

/// How much there is to do, and has been done, in objects and passes.
struct MigrationProgress {
    let total: Int
    var done = 0

    init(_ steps: [EntityStep]) {
        total = steps.reduce(0) { $0 + $1.sourceCount * ($1.setsRelationships ? 3 : 2) }
    }

    /// Below 1 until the store has been published.
    var fraction: Float { total == 0 ? 0 : min(Float(done) / Float(total), 0.99) }
}
