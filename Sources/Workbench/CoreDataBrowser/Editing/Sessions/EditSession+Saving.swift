import CoreData

extension EditSession {
    /// The result of a save.
    enum SaveOutcome {
        /// `inserted` pairs the temporary name of each new object with its saved one; the others are names of objects.
        case saved(inserted: [(String, String)], updated: [String], deleted: [String])
        case conflicts([SaveConflict])
        case problems([JSONValue])
    }

    /// Saves all that is staged, or nothing.
    ///
    /// Changes that others saved to properties which the tab did not change are merged. Nothing can be undone after a
    /// save.
    /// - Throws: `BrowserFailure` 409 if others save the same objects too often; errors of the store other than
    ///   conflicts and broken validation rules.
    func save(_ choices: [ConflictChoice], _ access: BrowserAccess) throws -> SaveOutcome {
        context.processPendingChanges()
        let problems = EditProblems(names.name)
        let broken = problems.all(in: context, access)
        guard broken.isEmpty else { return .problems(broken) }
        try ConflictResolution(self, choices).apply()
        // Each further round follows a merge of what others saved in properties that the tab did not change.
        for _ in 0..<8 {
            let report = StagedChange.all(in: context, naming: names.name, access: BrowserAccess(.everything, nil))
            let inserted = context.insertedObjects.map { ($0, names.name(of: $0)) }
            do {
                try withoutUndo { try context.save() }
            } catch let error as NSError {
                let found = SaveConflict.list(in: error)
                guard !found.isEmpty else {
                    guard
                        (1550...1699).contains(error.code) || error.code == NSManagedObjectConstraintMergeError
                            || error.code == NSValidationMultipleErrorsError
                    else { throw error }
                    return .problems(problems.list(error, access))
                }
                let conflicts = try found.compactMap { try SaveConflict($0, in: self, access) }
                let real = conflicts.filter(\.isReal)
                guard real.isEmpty else { return .conflicts(real) }
                withoutUndo { for object in found { context.refresh(object, mergeChanges: true) } }
                continue
            }
            let outcome = SaveOutcome.saved(
                inserted: inserted.map { ($0.1, $0.0.objectID.shortText) },
                updated: report.filter { $0.kind == .updated }.map(\.name),
                deleted: report.filter { $0.kind == .deleted }.map(\.name))
            forgetSteps()
            losses = []
            try journal?.clear()
            return outcome
        }
        throw BrowserFailure(
            409, code: "busy", reason: "others save the same objects all the time",
            hint: "nothing was saved; save again")
    }
}
