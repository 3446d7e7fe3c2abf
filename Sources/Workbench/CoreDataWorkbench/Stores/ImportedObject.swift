import CoreData

/// An object of a store into which objects are imported: until all of them exist, relationships may have too few
/// members.
///
/// An object without a context represents a row that is checked; its relationships are checked later.
package final class ImportedObject: NSManagedObject {
    private static let isIncomplete = "CoreDataWorkbench.isIncomplete"

    /// Determines whether objects of a context are valid although relationships lack members that are imported later.
    package static func allowIncomplete(_ isAllowed: Bool, in context: NSManagedObjectContext) {
        context.userInfo[isIncomplete] = isAllowed
    }

    override package func validateForInsert() throws { try passingOverAbsence { try super.validateForInsert() } }

    override package func validateForUpdate() throws { try passingOverAbsence { try super.validateForUpdate() } }

    /// Runs a validation, and throws its errors except those about members that are imported later.
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
