import CoreData

/// Whether changes are saved or only tried.
package enum EditMode: Sendable {
    case save
    /// The changes are validated and not saved.
    case dryRun
}

extension OpenStore {
    /// Runs `body`, which changes objects, and saves or only validates the changes. If anything fails, the store is
    /// unchanged.
    ///
    /// `report` is called after the save or the validation, while the objects still have their changes.
    func edit<Changed, Result>(
        _ mode: EditMode, naming: @escaping (NSManagedObject) -> String? = { _ in nil }, _ body: () throws -> Changed,
        report: (Changed) -> Result
    ) throws -> Result {
        try context.performAndWait {
            defer { context.rollback() }
            let changed = try body()
            guard context.hasChanges else { return report(changed) }
            do {
                if mode == .save { try context.save() } else { try validate() }
            } catch {
                throw SaveFailure(error, naming: naming).error(at: facts.url)
            }
            return report(changed)
        }
    }

    /// Checks the validation rules that a save would check before it writes to the store; throws the errors as a save
    /// does.
    package func validate() throws {
        context.processPendingChanges()
        var errors: [NSError] = []
        func check(_ objects: Set<NSManagedObject>, _ rule: (NSManagedObject) throws -> Void) {
            for object in objects {
                do { try rule(object) } catch { errors.append(error as NSError) }
            }
        }
        check(context.deletedObjects) { try $0.validateForDelete() }
        check(context.insertedObjects) { try $0.validateForInsert() }
        check(context.updatedObjects) { try $0.validateForUpdate() }
        guard let first = errors.first else { return }
        guard errors.count > 1 else { throw first }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
            userInfo: [
                NSLocalizedDescriptionKey: "Multiple validation errors occurred.", NSDetailedErrorsKey: errors,
            ])
    }
}
