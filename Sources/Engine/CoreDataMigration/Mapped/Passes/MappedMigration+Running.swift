import CoreDataGraph

extension MappedMigration {
    /// Performs the entire migration: opens the stores, runs the passes, and publishes the destination store.
    func run() throws {
        try session.open()
        if manager.mappingModel.isInferred { try NumberReview(session).run() }
        try InstancePass(self).run()
        try RelationshipPass(self).run()
        try ValidationPass(self).run()
        try SideTableCopy(session)?.run()
        try session.publish()
    }
}
