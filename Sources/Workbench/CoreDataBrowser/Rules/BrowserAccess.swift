import CoreData

/// The rules for one user; every page asks them what it may show and do.
package struct BrowserAccess: Sendable {
    private let rules: BrowserRules
    private let user: BrowserUser?

    package init(_ rules: BrowserRules, _ user: BrowserUser?) {
        self.rules = rules
        self.user = user
    }

    /// Whether the user may do something with objects of an entity, or with one of their properties.
    package func may(_ action: BrowserRules.Action, entity: NSEntityDescription, key: String? = nil) -> Bool {
        guard rules.may(user, do: action, entity: entity.name ?? "", attribute: key) else { return false }
        return !rules.mayHideSome || mayRead(entity, key)
    }

    /// Whether anything may be hidden from anybody.
    var mayHideSome: Bool { rules.mayHideSome }

    private func mayRead(_ entity: NSEntityDescription, _ key: String?) -> Bool {
        var owner: NSEntityDescription? = entity
        while let one = owner {
            guard rules.may(user, do: .read, entity: one.name ?? "") else { return false }
            if let key, one.propertiesByName[key] != nil,
                !rules.may(user, do: .read, entity: one.name ?? "", attribute: key)
            {
                return false
            }
            owner = one.superentity
        }
        // A relationship to a hidden entity is hidden too.
        guard let key, let destination = entity.relationshipsByName[key]?.destinationEntity else { return true }
        return mayReadFamily(destination)
    }

    /// Whether objects of an entity and of all its subentities may be read.
    private func mayReadFamily(_ entity: NSEntityDescription) -> Bool {
        mayRead(entity, nil) && entity.subentities.allSatisfy(mayReadFamily)
    }

    /// Refuses what the user may not do; what the user may not even read is reported as unknown.
    ///
    /// - Throws: `BrowserFailure` 403, or the `InspectionError` for a name that the model does not have.
    package func require(_ action: BrowserRules.Action, entity: NSEntityDescription, key: String? = nil) throws {
        let name = entity.name ?? ""
        guard may(.read, entity: entity) else {
            throw InspectionError(.unknownEntity, subject: name, cause: "the model has no such entity")
        }
        if let key, entity.propertiesByName[key] == nil || !may(.read, entity: entity, key: key) {
            throw unknownKey(key, of: entity)
        }
        guard may(action, entity: entity), may(action, entity: entity, key: key) else {
            throw BrowserFailure(
                403, code: "notAllowed", reason: "you may not \(action) \(key.map { "'\($0)' of \(name)" } ?? name)",
                hint: "ask who runs the browser for the right")
        }
    }

    /// The error for a key that an entity lacks or that is hidden; it does not reveal which.
    func unknownKey(_ key: String, of entity: NSEntityDescription) -> InspectionError {
        let readable = entity.propertiesByName.keys.filter { may(.read, entity: entity, key: $0) }
        return InspectionError(
            .unknownKey, subject: PrintableText.escaped(key, limit: 80),
            cause: "entity \(entity.name ?? "") has no such property",
            hint: NameSuggestion(for: key, in: readable)?.question)
    }
}
