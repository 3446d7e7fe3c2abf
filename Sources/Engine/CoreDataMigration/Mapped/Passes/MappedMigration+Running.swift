import CoreDataGraph

extension MappedMigration {
    /// Migrates from beginning to end: opens the stores, goes through the passes, publishes what they made.
    func run() throws {
        try session.open()
        if manager.mappingModel.isInferred { try NumberReview(session).run() }
        try InstancePass(self).run()
        try RelationshipPass(self).run()
        try ValidationPass(self).run()
        try session.publish()
    }
}
