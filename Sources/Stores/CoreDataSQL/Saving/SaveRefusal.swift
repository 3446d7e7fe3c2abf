import CoreDataStore

/// Thrown when the save plan conflicts with the store's contents; the transaction is rolled back.
package struct SaveRefusal: Error {
    package let outcome: SaveOutcome

    package init(outcome: SaveOutcome) { self.outcome = outcome }

    /// The error for callers that cannot resolve conflicts: a uniqueness constraint would be violated.
    package var error: NSError {
        guard case .constraintConflicts(let conflicts) = outcome else { return Self.collision(of: []) }
        return Self.collision(of: conflicts.map(\.constraint))
    }

    /// Makes an `NSManagedObjectConstraintMergeError` that names each constraint once; an index without property names
    /// is omitted.
    ///
    /// - Parameter row: which row it is, as the beginning of a sentence.
    package static func collision(of constraints: [[String]], row: String = "") -> NSError {
        let names = Set(constraints.map { $0.joined(separator: "+") }).subtracting([""]).sorted()
        return CoreDataError.make(
            NSManagedObjectConstraintMergeError, "\(row)Values that must be unique are there already.",
            reason: names.isEmpty ? nil : "Uniqueness conflict: " + names.joined(separator: ", ") + ".",
            hint: "Give other values, or set a merge policy that says which record wins.")
    }
}
