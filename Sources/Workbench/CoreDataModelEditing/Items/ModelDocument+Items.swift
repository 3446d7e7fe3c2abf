import CoreDataModeling

extension ModelDocument {
    /// The path to an item; nil if the item does not exist.
    func path(to item: SourceItem) -> ModelPath? {
        switch item {
        case .model: return .model
        case .entity(let name): return existing(.entity(name))
        case .property(let name, let entity):
            return SourceItemKind.properties.lazy.compactMap { existing(.entity(entity).step($0.element, name)) }.first
        case .index(let name, let entity): return existing(.entity(entity).step("fetchIndex", name))
        case .constraint(let names, let entity): return constraint(of: names, in: entity)
        case .fetchRequest(let name): return existing(.model.step("fetchRequest", name))
        case .configuration(let name): return existing(.model.step("configuration", name))
        case .member(let name, let configuration):
            return existing(.model.step("configuration", configuration).step("memberEntity", name))
        case .composite(let name): return existing(.model.step("composite", name))
        case .element(let name, let composite):
            return existing(.model.step("composite", composite).attribute(name))
        case .userInfo(let key, let owner):
            return path(to: owner).flatMap { existing($0.step("userInfo").step("entry", key)) }
        }
    }

    /// The path to an item.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem` if it does not exist, with the most similar name as hint.
    func requiredPath(to item: SourceItem) throws -> ModelPath {
        if let path = path(to: item) { return path }
        if item.owner != .model, path(to: item.owner) == nil { _ = try requiredPath(to: item.owner) }
        let rivals = items(in: item.owner).map(\.name)
        let near = NameSuggestion(for: item.name, in: rivals)?.question { "'\(item.renamed($0))'" }
        throw ModelEditError(.unknownItem, subject: "\(item)", cause: "the model has no such item", hint: near)
    }

    /// The element of an item.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem`.
    func requiredElement(of item: SourceItem) throws -> ModelElement {
        let path = try requiredPath(to: item)
        return element(at: path) ?? root
    }

    /// The kind of an item.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem`.
    package func kind(of item: SourceItem) throws -> SourceItemKind {
        SourceItemKind(of: item, element: try requiredElement(of: item).name)
    }

    /// Whether the model has an item.
    package func contains(_ item: SourceItem) -> Bool { path(to: item) != nil }

    private func existing(_ path: ModelPath) -> ModelPath? { element(at: path) == nil ? nil : path }

    private func constraint(of names: [String], in entity: String) -> ModelPath? {
        let list = ModelPath.entity(entity).step("uniquenessConstraints")
        let all = element(at: list)?.elements.filter { $0.name == "uniquenessConstraint" } ?? []
        let number = all.firstIndex { $0.elements.compactMap { $0["value"] } == names }
        return number.map { list.step("uniquenessConstraint", nil, number: $0) }
    }

    // MARK: Lists

    /// All items of the model at any depth, without the model itself, in the order of the source.
    package var items: [SourceItem] { all(in: .model) }

    private func all(in item: SourceItem) -> [SourceItem] {
        items(in: item).flatMap { [$0] + all(in: $0) }
    }

    /// The items directly in another item; empty if that item does not exist.
    package func items(in owner: SourceItem) -> [SourceItem] {
        guard let path = path(to: owner), let element = element(at: path) else { return [] }
        return element.elements.flatMap { inner in items(of: inner, in: owner) }
    }

    /// Returns the items that an element inside an owner's element describes: one, or one for each entry of a list.
    ///
    /// Returns none for an element that describes no item.
    func items(of inner: ModelElement, in owner: SourceItem) -> [SourceItem] {
        let name = inner["name"] ?? ""
        switch (owner, inner.name) {
        case (.model, "entity"): return [.entity(name)]
        case (.model, "fetchRequest"): return [.fetchRequest(name)]
        case (.model, "configuration"): return [.configuration(name)]
        case (.model, "composite"): return [.composite(name)]
        case (.entity(let entity), "attribute"), (.entity(let entity), "relationship"),
            (.entity(let entity), "fetchedProperty"):
            return [.property(name, entity: entity)]
        case (.entity(let entity), "fetchIndex"): return [.index(name, entity: entity)]
        case (.entity(let entity), "uniquenessConstraints"):
            return inner.elements.map { .constraint($0.elements.compactMap { $0["value"] }, entity: entity) }
        case (.configuration(let configuration), "memberEntity"): return [.member(name, configuration: configuration)]
        case (.composite(let composite), "attribute"): return [.element(name, composite: composite)]
        case (.entity, "userInfo"), (.property, "userInfo"), (.element, "userInfo"):
            return inner.elements.map { .userInfo($0["key"] ?? "", of: owner) }
        default: return []
        }
    }
}
