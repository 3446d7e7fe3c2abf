import CoreDataGraph

/// Drops the changes of models whose rows were deleted elsewhere; other conflicts are errors.
final class ModelMergePolicy: NSMergePolicy, @unchecked Sendable {
    static let shared = ModelMergePolicy(merge: .errorMergePolicyType)

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        let gone = list.filter { $0.newVersionNumber == 0 && !$0.sourceObject.isDeleted }
        let others = list.filter { $0.newVersionNumber != 0 || $0.sourceObject.isDeleted }
        guard others.isEmpty else { return try super.resolve(optimisticLockingConflicts: list) }
        let records = gone.compactMap { $0.sourceObject as? ModelRecord }.map { ($0, $0.lastValues()) }
        // The records are in no context afterwards.
        for (record, _) in records { (record.managedObjectContext as? RecordContext)?.goneRecords.insert(record) }
        try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: gone)
        for (record, values) in records {
            CoreDataLogging.report(
                .warning,
                "The changes of a model of '\(record.plan.name)' are dropped: it was deleted by another context.")
            record.leave(values)
        }
    }
}
