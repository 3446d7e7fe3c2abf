import CoreDataModeling

extension ModelEditor {
    mutating func remove(_ item: SourceItem, withReferences: Bool) throws {
        guard item != .model else {
            throw ModelEditError(.notApplicable, subject: "\(item)", cause: "the model itself cannot be taken away")
        }
        let path = try document.requiredPath(to: item)
        let uses = self.uses(of: item)
        guard uses.isEmpty || withReferences else {
            let names = uses.prefix(10).map { "'\($0.item)'" }.joined(separator: ", ")
            let more = uses.count > 10 ? " and \(uses.count - 10) more" : ""
            throw ModelEditError(
                .inUse, subject: "\(item)", cause: "it is named by \(names)\(more)",
                hint: "change these first, or take them along with --with-references")
        }
        let parent = document.element(at: path)?["parentEntity"]
        for use in uses { try take(use, parent: parent) }
        switch item {
        case .property(let name, let entity): try leave(name, of: entity)
        case .element(let name, let composite): try leave(element: name, of: composite)
        case .entity: for property in document.items(in: item) { try clearInverse(of: property) }
        default: break
        }
        try change { try $0.remove(path) }
    }

    /// An item that names the item to be removed.
    private struct Use {
        enum Kind {
            /// The using item cannot exist without the removed one, so it is removed too.
            case whole
            case parent
        }
        let item: SourceItem
        let kind: Kind
    }

    /// The items that would still name an item after its removal.
    private func uses(of item: SourceItem) -> [Use] {
        let elements = document.root.elements
        switch item {
        case .entity(let name):
            return elements.flatMap { element -> [Use] in
                let owner = element["name"] ?? ""
                switch element.name {
                case "entity" where owner != name:
                    let heir = element["parentEntity"] == name ? [Use(item: .entity(owner), kind: .parent)] : []
                    return heir
                        + element.elements.filter { $0.leads(to: name) }.map {
                            Use(item: .property($0["name"] ?? "", entity: owner), kind: .whole)
                        }
                case "fetchRequest" where element["entity"] == name:
                    return [Use(item: .fetchRequest(owner), kind: .whole)]
                default: return []
                }
            }
        case .composite(let name):
            return elements.filter { $0.name == "entity" || $0.name == "composite" && $0["name"] != name }.flatMap {
                owner in
                owner.elements.filter { $0["composite"] == name }.map { attribute in
                    let key = attribute["name"] ?? ""
                    let place = owner["name"] ?? ""
                    let item: SourceItem =
                        owner.name == "entity" ? .property(key, entity: place) : .element(key, composite: place)
                    return Use(item: item, kind: .whole)
                }
            }
        default: return []
        }
    }

    private mutating func take(_ use: Use, parent: String?) throws {
        switch use.kind {
        case .parent:
            let path = try document.requiredPath(to: use.item)
            try change { try $0.set(parent, for: "parentEntity", at: path) }
            note("'\(use.item)' now inherits from \(parent.map { "'\($0)'" } ?? "nothing")")
        case .whole:
            guard document.contains(use.item) else { return }
            try remove(use.item, withReferences: true)
            note("'\(use.item)' went too")
        }
    }

    // MARK: What names a property

    /// Removes a property from its inverse, and from the indexes and constraints of its entity and subentities.
    ///
    /// Texts that contain its key, such as predicates, stay unchanged and are noted.
    mutating func leave(_ name: String, of entity: String) throws {
        try clearInverse(of: .property(name, entity: entity))
        let names = DocumentNames(document)
        for heir in [entity] + names.heirs(of: entity) {
            for index in document.items(in: .entity(heir)) {
                try take(name, outOf: index) { PropertyPath.leads($0, to: name) }
            }
        }
        for text in KeyTexts.all(in: document) where text.mentions(name) {
            note("\(text.title) names the key '\(name)', and stays as it is")
        }
    }

    /// Removes a composite's element from the indexes and constraints that name it.
    private mutating func leave(element name: String, of composite: String) throws {
        // A path names the element exactly if renaming the element would change the path.
        let gone = KeyRename(names: DocumentNames(document), owner: .composite(composite), from: name, to: "")
        for case .entity(let entity) in document.items {
            for item in document.items(in: .entity(entity)) {
                try take(name, outOf: item) { gone.followed($0, from: .entity(entity)).path != $0 }
            }
        }
    }

    private mutating func take(_ name: String, outOf item: SourceItem, where isGone: (String) -> Bool) throws {
        let path = try document.requiredPath(to: item)
        switch item {
        case .constraint(let names, _) where names.contains(where: isGone):
            try change { try $0.remove(path) }
            note("the constraint '\(item)' went too")
        case .index:
            let parts = document.element(at: path)?.elements ?? []
            let going = parts.filter { $0["property"].map(isGone) == true }
            guard !going.isEmpty else { return }
            let isAll = going.count == parts.count
            if isAll {
                try change { try $0.remove(path) }
            } else {
                for part in going { try change { try $0.remove(path.step("fetchIndexElement", part["property"])) } }
            }
            note(isAll ? "the index '\(item)' went too" : "the index '\(item)' lost '\(name)'")
        default: return
        }
    }
}

extension ModelElement {
    /// Whether the element is a relationship or fetched property whose destination is an entity.
    fileprivate func leads(to entity: String) -> Bool {
        self["destinationEntity"] == entity
            || name == "fetchedProperty" && elements.contains { $0.name == "fetchRequest" && $0["entity"] == entity }
    }
}
