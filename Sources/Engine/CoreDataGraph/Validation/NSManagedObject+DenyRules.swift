import CoreDataStore

extension NSManagedObject {
    /// Throws an error of code 1600 for a relationship with the delete rule Deny that still has objects; one of code
    /// 1560 for several.
    func validateDenyRules() throws {
        var list = FailureList()
        for relationship in layout.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
        where relationship.deleteRule == .denyDeleteRule {
            let remaining = targets(of: relationship).filter { !$0.isDeleted }
            guard !remaining.isEmpty else { continue }
            list.add(Violation.deniedDelete(relationship, remaining: remaining.count, self))
        }
        try list.throwAny()
    }
}
