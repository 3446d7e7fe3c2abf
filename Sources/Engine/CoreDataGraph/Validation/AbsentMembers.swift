import CoreDataStore

/// Errors about relationships with too few members, which work that brings the members later passes over.
package enum AbsentMembers {
    /// Runs a validation of an object, and throws its errors except those about relationships with too few members.
    package static func passingOver(in entity: NSEntityDescription, _ check: () throws -> Void) throws {
        do {
            try check()
        } catch let error as NSError {
            let errors = (error.userInfo[NSDetailedErrorsKey] as? [NSError]) ?? [error]
            let others = errors.filter { !isAbsence($0, in: entity) }
            guard let first = others.first else { return }
            guard others.count > 1 else { throw first }
            throw NSError(
                domain: error.domain, code: error.code,
                userInfo: error.userInfo.merging([NSDetailedErrorsKey: others]) { $1 })
        }
    }

    private static func isAbsence(_ error: NSError, in entity: NSEntityDescription) -> Bool {
        let codes = [NSValidationMissingMandatoryPropertyError, NSValidationRelationshipLacksMinimumCountError]
        guard error.domain == NSCocoaErrorDomain, codes.contains(error.code),
            let key = error.userInfo[NSValidationKeyErrorKey] as? String
        else { return false }
        return entity.relationshipsByName[key] != nil
    }
}
