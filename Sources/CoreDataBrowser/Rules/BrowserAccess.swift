import CoreData

/// The rules as they are for one user: the one place where a page asks what it may show and do.
package struct BrowserAccess: Sendable {
    private let rules: BrowserRules
    private let user: BrowserUser?

    package init(_ rules: BrowserRules, _ user: BrowserUser?) {
        self.rules = rules
        self.user = user
    }

    /// Whether the user may do something with objects of an entity, or with one property of theirs.
    package func may(_ action: BrowserRules.Action, _ entity: NSEntityDescription, _ key: String? = nil) -> Bool {
        guard rules.may(user, do: action, entity: entity.name ?? "", attribute: key) else { return false }
        // What leads to a hidden entity is hidden with it.
        guard let key, let relationship = entity.relationshipsByName[key],
            let destination = relationship.destinationEntity
        else { return true }
        return rules.may(user, do: .read, entity: destination.name ?? "")
    }

    /// Refuses what the user may not do; what may not even be read is said not to exist.
    ///
    /// - Throws: `BrowserFailure` 403, or `InspectionError` as for a name that the model does not have.
    package func require(_ action: BrowserRules.Action, _ entity: NSEntityDescription, _ key: String? = nil) throws {
        let name = entity.name ?? ""
        guard may(.read, entity) else { throw InspectionError(.unknownEntity, name, "the model has no such entity") }
        if let key, !may(.read, entity, key) {
            throw InspectionError(.unknownKey, key, "entity \(name) has no such property")
        }
        guard may(action, entity), may(action, entity, key) else {
            throw BrowserFailure(
                403, "notAllowed", "you may not \(action) \(key.map { "'\($0)' of \(name)" } ?? name)",
                hint: "ask who runs the browser for the right")
        }
    }
}
