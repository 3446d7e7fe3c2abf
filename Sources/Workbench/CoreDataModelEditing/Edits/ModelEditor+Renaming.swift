import CoreDataModeling

extension ModelEditor {
    mutating func rename(_ item: SourceItem, to name: String, keepsIdentity: Bool) throws {
        let path = try document.requiredPath(to: item)
        let kind = try document.kind(of: item)
        guard ![.model, .constraint, .member].contains(kind) else {
            throw ModelEditError(.notApplicable, subject: "\(item)", cause: "a \(kind.rawValue) has no name of its own")
        }
        let hasIdentity = kind == .entity || SourceItemKind.properties.contains(kind)
        guard hasIdentity || !keepsIdentity else {
            throw ModelEditError(
                .notApplicable, subject: "\(item)", cause: "a \(kind.rawValue) has no renaming identifier")
        }
        guard name != item.name else { return }
        guard !document.contains(item.renamed(name)) else {
            throw ModelEditError(.nameTaken, subject: "\(item.renamed(name))", cause: "there is such an item already")
        }
        switch item {
        case .entity(let old): try renameEntity(old, to: name)
        case .property(let old, let entity):
            try follow(old, of: .entity(entity), to: name)
            try change { try $0.renameProperty(old, of: entity, to: name) }
        case .element(let old, let composite):
            try follow(old, of: .composite(composite), to: name)
            try change { try $0.set(name, for: "name", at: path) }
        case .composite(let old): try renameComposite(old, to: name, path)
        case .userInfo: try change { try $0.set(name, for: "key", at: path) }
        default: try change { try $0.set(name, for: "name", at: path) }
        }
        if keepsIdentity { try keepIdentity(of: item.renamed(name), before: item.name) }
    }

    /// Sets the renaming identifier to the old name, or keeps an existing one, which is the name in the version before.
    ///
    /// Removes the identifier if it equals the new name.
    private mutating func keepIdentity(of item: SourceItem, before old: String) throws {
        let path = try document.requiredPath(to: item)
        let present = document.element(at: path)?["elementID"].flatMap { $0.isEmpty ? nil : $0 }
        let identifier = present ?? old
        try change { try $0.set(identifier == item.name ? nil : identifier, for: "elementID", at: path) }
    }

    /// Renames an entity. A class that the build generates and that has the entity's name is renamed too.
    private mutating func renameEntity(_ old: String, to name: String) throws {
        try change { try $0.renameEntity(old, to: name) }
        guard let element = document.element(at: .entity(name)),
            element["codeGenerationType"].map({ !$0.isEmpty }) == true
        else { return }
        var className = ClassName(element)
        guard className.name == old else { return }
        className.name = name
        try change { try $0.set(className.text, for: "representedClassName", at: .entity(name)) }
    }

    private mutating func renameComposite(_ old: String, to name: String, _ path: ModelPath) throws {
        for item in document.items {
            guard let place = document.path(to: item), document.element(at: place)?["composite"] == old else {
                continue
            }
            try change { try $0.set(name, for: "composite", at: place) }
        }
        try change { try $0.set(name, for: "name", at: path) }
    }

    /// Replaces a property's key in all texts that contain it, and notes the changed texts and those that do not parse.
    private mutating func follow(_ old: String, of owner: DocumentNames.Owner, to name: String) throws {
        let texts = KeyTexts.all(in: document).filter { $0.mentions(old) }
        let rename = KeyRename(names: DocumentNames(document), owner: owner, from: old, to: name)
        if case .composite = owner { try followIndexed(rename) }
        guard !texts.isEmpty else { return }
        for text in texts {
            guard let followed = text.followed(rename) else {
                note("\(text.title) cannot be read, and stays as it is")
                continue
            }
            guard followed != text.text else { continue }
            try change { try $0.set(followed, for: text.attribute, at: text.path) }
            note("\(text.title) is now: \(followed)")
        }
    }

    /// Renames a composite's element in the constraints and indexes that name it.
    private mutating func followIndexed(_ rename: KeyRename) throws {
        for case .entity(let entity) in document.items {
            for item in document.items(in: .entity(entity)) {
                let path = try document.requiredPath(to: item)
                guard let element = document.element(at: path) else { continue }
                switch item {
                case .constraint(let names, _):
                    let followed = names.map { rename.followed($0, from: .entity(entity)).path }
                    guard followed != names else { continue }
                    for (number, name) in followed.enumerated() {
                        try change { try $0.set(name, for: "value", at: path.step("constraint", nil, number: number)) }
                    }
                case .index:
                    let parts = element.elements.filter { $0.name == "fetchIndexElement" }
                    for (number, part) in parts.enumerated() {
                        guard let name = part["property"] else { continue }
                        let followed = rename.followed(name, from: .entity(entity)).path
                        guard followed != name else { continue }
                        try change {
                            try $0.set(
                                followed, for: "property", at: path.step("fetchIndexElement", nil, number: number))
                        }
                    }
                default: continue
                }
            }
        }
    }
}
