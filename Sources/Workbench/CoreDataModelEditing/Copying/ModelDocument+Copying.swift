import CoreDataModeling

extension ModelDocument {
    /// The edits that create copies of items and of all items in them, to be applied to another model or to this one.
    ///
    /// The order lets each edit name only items that exist by then: first the edits that add items, then destinations
    /// and parents, at last inverses, predicates, derivations, indexes and constraints.
    /// - Throws: `ModelEditError` of code `unknownItem`.
    package func edits(making items: [SourceItem]) throws -> [ModelEdit] {
        var copy = CopiedItems()
        for item in items where !items.contains(where: { item.isPart(of: $0) }) {
            copy.collect(ItemOutline(of: try requiredElement(of: item), as: item, in: self))
        }
        return copy.stages.flatMap(\.self)
    }
}

/// Collects the edits that create copies, in three stages to be applied one after the other.
private struct CopiedItems {
    /// The edits by stage: those that add items, those that set links to items, and those that name properties.
    var stages: [[ModelEdit]] = [[], [], []]

    /// The index of the stage in which an option of a kind is set; 0 for options that are not listed.
    private static let stages: [SourceItemKind: [String: Int]] = [
        .entity: ["parent": 1], .attribute: ["composite": 1, "derivation": 2],
        .relationship: ["destination": 1, "inverse": 2], .fetchedProperty: ["entity": 1, "predicate": 2],
        .fetchRequest: ["entity": 1, "predicate": 2], .configuration: ["entities": 1],
    ]

    mutating func collect(_ outline: ItemOutline) {
        // The option `entities` of a configuration sets its members. Indexes and constraints name properties, so they
        // are added in the last stage.
        if outline.kind == .member { return }
        let isLate = outline.kind == .index || outline.kind == .constraint
        var settings: [[OptionSetting]] = [[], [], []]
        for (name, value) in outline.values {
            settings[Self.stages[outline.kind]?[name] ?? 0].append(OptionSetting(name, value))
        }
        let stated = Set(outline.values.map(\.name))
        settings[0] += outline.freshOptions.filter { !stated.contains($0) }.map { OptionSetting($0, nil) }
        stages[isLate ? 2 : 0].append(.add(outline.kind, outline.item, settings[0]))
        for stage in 1...2 where !settings[stage].isEmpty { stages[stage].append(.set(outline.item, settings[stage])) }
        for part in outline.parts { collect(part) }
    }
}

extension ItemOutline {
    /// The value that the source states for an option; nil if it states none.
    package func value(_ name: String) -> String? { values.first { $0.name == name }?.value }

    /// The options that `add` sets for a new item: a copy has to remove those that the original does not state.
    fileprivate var freshOptions: [String] {
        switch kind {
        case .entity: ["class", "codegen"]
        case .attribute:
            ["optional"]
                + (AttributeTypeName.withDefault.contains(value("type") ?? "") ? ["default"] : [])
                + (AttributeTypeName.scalars.contains(value("type") ?? "") ? ["scalar"] : [])
        case .relationship: ["optional", "delete-rule"]
        case .fetchedProperty: ["optional"]
        default: []
        }
    }
}

extension SourceItem {
    /// Whether the item is inside another one, at any depth.
    func isPart(of other: SourceItem) -> Bool {
        guard self != .model, self != other else { return false }
        return owner == other || owner.isPart(of: other)
    }

    /// This item after `old` was renamed to `new`; unchanged if it is neither `old` nor inside it.
    func replacing(_ old: SourceItem, with new: SourceItem) -> SourceItem {
        guard self != old else { return new }
        guard isPart(of: old) else { return self }
        switch (self, owner.replacing(old, with: new)) {
        case (.property(let name, _), .entity(let entity)): return .property(name, entity: entity)
        case (.index(let name, _), .entity(let entity)): return .index(name, entity: entity)
        case (.constraint(let names, _), .entity(let entity)): return .constraint(names, entity: entity)
        case (.member(let name, _), .configuration(let owner)): return .member(name, configuration: owner)
        case (.element(let name, _), .composite(let owner)): return .element(name, composite: owner)
        case (.userInfo(let key, _), let owner): return .userInfo(key, of: owner)
        default: return self
        }
    }
}
