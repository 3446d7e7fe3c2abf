/// The entities of a source by name, with their interfaces.
struct SourceEntities: Sendable {
    struct Entry: Sendable {
        let element: ModelElement
        let interface: EntityInterface
    }

    private(set) var entries: [String: Entry] = [:]
    /// The names of the entities that are new or differ from the former source.
    private(set) var changed: Set<String> = []
    /// The other elements of `<model>`, except the editor's layout, which is not read.
    private(set) var others: [ModelElement] = []
    /// The attributes of `<model>`.
    let attributes: [ModelAttribute]

    /// Finds the entities of a source; nil if an entity is unnamed, or has the name of another.
    ///
    /// - Parameter former: the previous source, whose unchanged entities are reused.
    init?(_ document: ModelDocument, after former: SourceEntities? = nil) {
        attributes = document.root.attributes
        entries.reserveCapacity(former?.entries.count ?? 0)
        for case .element(let element) in document.root.contents where element.name != "elements" {
            guard element.name == "entity" else {
                others.append(element)
                continue
            }
            guard let name = element["name"], !name.isEmpty else { return nil }
            let known = former?.entries[name]
            guard let entry = known?.element == element ? known : Self.entry(element) else { return nil }
            if known?.element != element { changed.insert(name) }
            guard entries.updateValue(entry, forKey: name) == nil else { return nil }
        }
    }

    private static func entry(_ element: ModelElement) -> Entry? {
        EntityInterface(element).map { Entry(element: element, interface: $0) }
    }

    /// Whether all differences from another source are in entities, and no entity was removed.
    func keepsAll(of former: SourceEntities) -> Bool {
        attributes == former.attributes && others == former.others
            && former.entries.keys.allSatisfy { entries[$0] != nil }
    }

    /// The names of the entity and its ancestors, starting with the entity; nil if the chain is too long, as for a
    /// cycle, or an ancestor does not exist.
    func lineage(of name: String) -> [String]? {
        var line = [name]
        while let parent = entries[line[line.count - 1]]?.interface.parent {
            guard entries[parent] != nil, line.count < NSEntityDescription.greatestDepth else { return nil }
            line.append(parent)
        }
        return line
    }

    /// The entities that depend on the given ones: that inherit from them, or have a relationship to one that does.
    ///
    /// Nil if `lineage(of:)` is nil for any entity.
    func dependents(of names: Set<String>) -> Set<String>? {
        var heirs = names
        for name in entries.keys {
            guard let line = lineage(of: name) else { return nil }
            if !names.isDisjoint(with: line) { heirs.insert(name) }
        }
        var found = heirs
        for (name, entry) in entries {
            let leadsThere = entry.interface.properties.contains { $0.destination.map(heirs.contains) ?? false }
            if leadsThere { found.insert(name) }
        }
        return found
    }

    /// The number of properties of all entities, inherited ones counted for each entity; nil if `lineage(of:)` is nil
    /// for any.
    func propertyCount() -> Int? {
        var total = 0
        for name in entries.keys {
            guard let line = lineage(of: name) else { return nil }
            for owner in line { total += entries[owner]?.interface.properties.count ?? 0 }
        }
        return total
    }
}
