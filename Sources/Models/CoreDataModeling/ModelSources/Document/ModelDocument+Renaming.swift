extension ModelDocument {
    /// Renames an entity, also where it is named: in parents, destinations, fetch requests, configurations and layout.
    ///
    /// Predicates and derivations are separate texts and are not changed.
    /// - Throws: `ModelingError` if the entity does not exist or the new name is taken.
    package mutating func renameEntity(_ name: String, to newName: String) throws {
        guard element(at: .entity(name)) != nil else { throw Self.missing(.entity(name)) }
        guard newName != name else { return }
        try root.checkIsFree(ModelElement("entity", [ModelAttribute("name", newName)]))
        try change { element, parent in
            for attribute in Self.entityMentions(element.name, in: parent) where element[attribute] == name {
                try element.set(newName, for: attribute)
            }
        }
    }

    private static func entityMentions(_ element: String, in parent: String) -> [String] {
        switch (parent, element) {
        case ("model", "entity"): ["name", "parentEntity"]
        case ("entity", "relationship"): ["destinationEntity", "inverseEntity"]
        case (_, "fetchRequest"): ["entity"]
        case ("configuration", "memberEntity"), ("elements", "element"): ["name"]
        default: []
        }
    }

    /// Renames a property, also in constraints and indexes of its entity and its descendants, and in the inverse of a
    /// relationship.
    ///
    /// Predicates and derivations are separate texts and are not changed.
    /// - Throws: `ModelingError` if the property does not exist or the new name is taken.
    package mutating func renameProperty(_ name: String, of entity: String, to newName: String) throws {
        let owner = ModelPath.entity(entity)
        guard let property = element(at: owner)?.elements.first(where: { Self.isProperty($0, named: name) }) else {
            throw Self.missing(owner.step("property", name))
        }
        guard newName != name else { return }
        try element(at: owner)?.checkIsFree(ModelElement(property.name, [ModelAttribute("name", newName)]))
        try set(newName, for: "name", at: owner.step(property.name, name))
        let heirs = heirs(of: entity)
        for heir in heirs { try renameMentions(of: name, to: newName, in: .entity(heir)) }
        guard property.name == "relationship" else { return }
        try change { element, parent in
            // The inverse names the entity that declares the property, or a descendant that inherits it.
            guard parent == "entity", element.name == "relationship", element["inverseName"] == name,
                let target = element["inverseEntity"] ?? element["destinationEntity"], heirs.contains(target)
            else { return }
            try element.set(newName, for: "inverseName")
        }
    }

    private static func isProperty(_ element: ModelElement, named name: String) -> Bool {
        properties.contains(element.name) && element["name"] == name
    }

    /// The names of the entity and its descendants.
    private func heirs(of entity: String) -> Set<String> {
        var children: [String: [String]] = [:]
        for element in root.elements where element.name == "entity" {
            guard let name = element["name"], let parent = element["parentEntity"] else { continue }
            children[parent, default: []].append(name)
        }
        var heirs: Set<String> = [entity]
        var open = [entity]
        while let next = open.popLast() { open += (children[next] ?? []).filter { heirs.insert($0).inserted } }
        return heirs
    }

    private mutating func renameMentions(of name: String, to newName: String, in path: ModelPath) throws {
        try update(path) { entity, _ in
            try Self.change(&entity, in: "model") { element, parent in
                let attribute: String
                switch (parent, element.name) {
                case ("uniquenessConstraint", "constraint"), ("compoundIndex", "index"): attribute = "value"
                case ("fetchIndex", "fetchIndexElement"): attribute = "property"
                default: return
                }
                // The path of an element of a composite attribute begins with the attribute's name.
                guard let path = element[attribute], PropertyPath.leads(path, to: name) else { return }
                try element.set(newName + path.dropFirst(name.count), for: attribute)
            }
        }
    }

    // MARK: Walking

    private mutating func change(_ body: (inout ModelElement, String) throws -> Void) throws {
        try Self.change(&root, in: "", body)
    }

    /// Calls `body` with every element and the name of its parent element; `body` may change attributes.
    private static func change(
        _ element: inout ModelElement, in parent: String, _ body: (inout ModelElement, String) throws -> Void
    ) throws {
        try body(&element, parent)
        for index in element.contents.indices {
            guard var inner = element.contents[index].element else { continue }
            try change(&inner, in: element.name, body)
            element.contents[index] = .element(inner)
        }
    }
}
