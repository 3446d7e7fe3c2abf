import CoreDataModeling

extension ModelEditor {
    mutating func add(_ kind: SourceItemKind, item: SourceItem, settings: [OptionSetting]) throws {
        guard kind.fits(item), kind != .model else {
            throw ModelEditError(
                .notApplicable, subject: "\(item)", cause: "this names no \(kind.rawValue)",
                hint: "write \(kind.example)")
        }
        guard !document.contains(item) else {
            throw ModelEditError(.nameTaken, subject: "\(item)", cause: "there is such an item already")
        }
        let owner = try document.kind(of: item.owner)
        guard owner.parts.contains(kind) else {
            throw ModelEditError(
                .notApplicable, subject: "\(item.owner)", cause: "a \(owner.rawValue) has no \(kind.rawValue)",
                hint: owner.parts.isEmpty ? nil : "it can have: " + owner.parts.map(\.rawValue).joined(separator: ", "))
        }
        let element = try element(kind, item)
        let path = try list(for: item)
        try change { try $0.add(element, to: path) }
        try set(settings, of: item, isFresh: true)
    }

    /// A new element with the attributes that Xcode writes for a new item of the kind.
    private func element(_ kind: SourceItemKind, _ item: SourceItem) throws -> ModelElement {
        switch item {
        case .constraint(let names, let entity):
            let known = DocumentNames(document)
            for name in names { try requireIndexed(name, of: entity, known) }
            return ModelElement(
                kind.element, elements: try names.map { try Self.element("constraint", ["value": $0]) })
        case .member(let entity, _):
            try requireEntity(entity)
            return try Self.element(kind.element, ["name": entity])
        case .userInfo(let key, _):
            return try Self.element(kind.element, ["key": key, "value": ""])
        default: return try named(kind, item.name)
        }
    }

    private func named(_ kind: SourceItemKind, _ name: String) throws -> ModelElement {
        var values: KeyValuePairs<String, String> = ["name": name]
        switch kind {
        case .entity: values = ["name": name, "representedClassName": name, "codeGenerationType": "class"]
        case .attribute: values = ["name": name, "optional": "YES"]
        case .relationship:
            values = ["name": name, "optional": "YES", "maxCount": "1", "deletionRule": "Nullify"]
        case .fetchedProperty: values = ["name": name, "optional": "YES"]
        default: break
        }
        var element = try Self.element(kind.element, values)
        if kind == .entity || SourceItemKind.properties.contains(kind), saysSyncable(kind) {
            try element.set("YES", for: "syncable")
        }
        return element
    }

    private static func element(_ name: String, _ values: KeyValuePairs<String, String>) throws -> ModelElement {
        var element = ModelElement(name)
        for (key, value) in values { try element.set(value, for: key) }
        return element
    }

    /// Whether a new item of the kind gets `syncable="YES"`: if other items of the source have it.
    ///
    /// Older versions of Xcode write it for entities and properties, current ones for entities only, so an entity in a
    /// source without entities gets it too.
    func saysSyncable(_ kind: SourceItemKind) -> Bool {
        let entities = document.root.elements.filter { $0.name == "entity" }
        guard kind != .entity else { return entities.isEmpty || entities.contains { $0["syncable"] != nil } }
        return entities.contains { $0.elements.contains { $0["syncable"] == "YES" } }
    }

    /// The path of the element to which the item's element is added.
    private func list(for item: SourceItem) throws -> ModelPath {
        let owner = try document.requiredPath(to: item.owner)
        switch item {
        case .constraint: return owner.step("uniquenessConstraints")
        case .userInfo: return owner.step("userInfo")
        default: return owner
        }
    }
}

extension SourceItemKind {
    /// The form in which commands name an item of the kind, for hints.
    fileprivate var example: String {
        switch self {
        case .model: "."
        case .entity: "Entity"
        case .attribute, .relationship, .fetchedProperty: "Entity.property"
        case .index: "Entity/indexes/NAME"
        case .constraint: "Entity/constraints/A,B"
        case .fetchRequest: "requests/NAME"
        case .configuration: "configurations/NAME"
        case .member: "configurations/NAME/Entity"
        case .composite: "composites/NAME"
        case .userInfo: "Entity.property/user-info/KEY"
        }
    }
}
