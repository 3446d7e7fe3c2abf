import CoreDataGraph

/// Calls the policies for the passes of a migration, and reports the progress.
final class MappedMigration {
    unowned let manager: NSMigrationManager
    let session: MigrationSession
    /// The policies, by the numbers of the steps.
    let policies: [NSEntityMigrationPolicy]
    var progress = MigrationProgress([])

    init(_ manager: NSMigrationManager, _ session: MigrationSession, policies: [NSEntityMigrationPolicy]) {
        self.manager = manager
        self.session = session
        self.policies = policies
    }

    /// Calls a method of a step's policy.
    ///
    /// - Throws: the error of a cancellation; the errors of the default policy; `NSEntityMigrationPolicyError` for an
    ///   error that a policy of the program throws.
    func call(_ step: EntityStep, method: String, body: (NSEntityMigrationPolicy) throws -> Void) throws {
        let policy = policies[step.number]
        try manager.checkCancellation()
        do {
            try body(policy)
        } catch {
            try manager.checkCancellation()
            guard !step.hasDefaultPolicy else { throw error }
            let place = step.place(method)
            throw MigrationFailure.make(
                NSEntityMigrationPolicyError,
                "The policy '\(type(of: policy))' of \(place.text) failed in \(method).", at: place,
                underlying: error)
        }
        try manager.checkCancellation()
    }

    /// Counts one object as processed by one pass.
    func advance() {
        progress.done += 1
        if progress.done & 63 == 0 { manager.note(progress: progress.fraction) }
    }
}
