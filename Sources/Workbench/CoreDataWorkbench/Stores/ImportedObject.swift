import CoreData

/// An object of a store that takes an import: as long as not all objects are there, relationships may be too small.
///
/// One that is in no context stands for a row that is checked, and its relationships are checked later.
package final class ImportedObject: NSManagedObject {
    private static let isIncomplete = "CoreDataWorkbench.isIncomplete"

    /// Whether relationships of a context's objects may lack members that are still to come.
    package static func allowIncomplete(_ isAllowed: Bool, in context: NSManagedObjectContext) {
        context.userInfo[isIncomplete] = isAllowed
    }

    override package func validateForInsert() throws { try passingOverAbsence { try super.validateForInsert() } }

    override package func validateForUpdate() throws { try passingOverAbsence { try super.validateForUpdate() } }

    /// Runs a check, and throws what it finds but for members that are still to come.
    private func passingOverAbsence(_ check: () throws -> Void) throws {
        do {
            try check()
        } catch let error as NSError {
            if let context = managedObjectContext, context.userInfo[Self.isIncomplete] as? Bool != true { throw error }
            let errors = (error.userInfo[NSDetailedErrorsKey] as? [NSError]) ?? [error]
            let others = errors.filter { !isAbsence($0) }
            guard let first = others.first else { return }
            guard others.count > 1 else { throw first }
            throw NSError(
                domain: error.domain, code: error.code,
                userInfo: error.userInfo.merging([NSDetailedErrorsKey: others]) { $1 })
        }
    }

    private func isAbsence(_ error: NSError) -> Bool {
        let codes = [NSValidationMissingMandatoryPropertyError, NSValidationRelationshipLacksMinimumCountError]
        guard codes.contains(error.code), let key = error.userInfo[NSValidationKeyErrorKey] as? String else {
            return false
        }
        return entity.relationshipsByName[key] != nil
    }
}
