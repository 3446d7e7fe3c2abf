import CoreDataModeling

/// Repairs findings of the model check that have one obvious repair.
package enum ModelRepair {
    private typealias Repair = @Sendable (SourceItem, ItemOutline, ModelDocument) -> [ModelEdit]?

    /// The edits that repair a finding; nil for a finding without an obvious repair, for which a person has to decide.
    package static func edits(for finding: ModelFinding, in document: ModelDocument) -> [ModelEdit]? {
        guard let repair = repairs[finding.rule.identifier], let entity = finding.entity else { return nil }
        let item = finding.property.map { SourceItem.property($0, entity: entity) } ?? .entity(entity)
        guard let path = document.path(to: item), let element = document.element(at: path) else { return nil }
        return repair(item, ItemOutline(of: element, as: item, in: document), document)
    }

    private static let repairs: [String: Repair] = [
        // Names
        "entity-name-case": { item, _, _ in renamed(item, item.name.prefix(1).uppercased()) },
        "property-name-case": { item, _, _ in renamed(item, item.name.prefix(1).lowercased()) },
        // Entities
        "unknown-parent": set(("parent", nil)),
        "abstract-without-children": set(("abstract", "NO")),
        // Attributes
        "required-without-default": set(("optional", "YES")),
        "external-storage-type": set(("external", nil)),
        "transient-external-storage": set(("external", nil)),
        "default-breaks-rule": set(("default", nil)),
        "default-type": set(("default", nil)),
        "limit-on-type": set(("min", nil), ("max", nil)),
        "limit-type": set(("min", nil), ("max", nil)),
        "minimum-above-maximum": { item, outline, _ in
            let names = outline.value("type") == "String" ? ("min-length", "max-length") : ("min", "max")
            return exchanged(names.0, greatest: names.1, item: item, outline: outline)
        },
        "negative-length": { item, outline, _ in
            withoutNegative(["min-length", "max-length"], item: item, outline: outline)
        },
        "transformer-on-type": set(("transformer", nil)),
        "insecure-transformer": set(("transformer", "NSSecureUnarchiveFromData")),
        // Relationships
        "minimum-count-above-maximum": { item, outline, _ in
            exchanged("min-count", greatest: "max-count", item: item, outline: outline)
        },
        "negative-count": { item, outline, _ in
            withoutNegative(["min-count", "max-count"], item: item, outline: outline)
        },
        "ordered-to-one": set(("ordered", nil)),
        "no-action-delete-rule": set(("delete-rule", "nullify")),
        "unknown-inverse": set(("inverse", nil)),
        "inverse-leads-elsewhere": set(("inverse", nil)),
        "inverse-entity": { item, outline, _ in
            outline.value("inverse").map { [.set(item, [.init("inverse", nil)]), .set(item, [.init("inverse", $0)])] }
        },
        "inverse-not-mutual": { item, outline, _ in
            outline.value("inverse").map { [.set(item, [.init("inverse", $0)])] }
        },
        "missing-inverse": addedInverse,
    ]

    private static func set(_ settings: (name: String, value: String?)...) -> Repair {
        let settings = settings.map { OptionSetting($0.name, $0.value) }
        return { item, _, _ in [.set(item, settings)] }
    }

    /// An edit that replaces the first character of the name, and keeps the old name as renaming identifier for
    /// migration.
    private static func renamed(_ item: SourceItem, _ beginning: String) -> [ModelEdit]? {
        [.rename(item, to: beginning + item.name.dropFirst(), keepsIdentity: true)]
    }

    private static func exchanged(
        _ least: String, greatest: String, item: SourceItem, outline: ItemOutline
    ) -> [ModelEdit]? {
        guard let low = outline.value(least), let high = outline.value(greatest) else { return nil }
        return [.set(item, [.init(least, high), .init(greatest, low)])]
    }

    private static func withoutNegative(
        _ names: [String], item: SourceItem, outline: ItemOutline
    ) -> [ModelEdit]? {
        let negative = names.filter { outline.value($0)?.hasPrefix("-") == true }
        return negative.isEmpty ? nil : [.set(item, negative.map { OptionSetting($0, nil) })]
    }

    /// Makes the only relationship of the destination that leads back and lacks an inverse the inverse; nil if there
    /// are several. If there is none, adds a to-one relationship named after the entity that it leads to.
    private static func addedInverse(
        _ item: SourceItem, outline: ItemOutline, document: ModelDocument
    ) -> [ModelEdit]? {
        guard case .property(let own, let entity) = item, let destination = outline.value("destination"),
            document.contains(.entity(destination))
        else { return nil }
        let back = ItemOutline.relationships(of: destination, in: document).filter {
            $0.value("destination") == entity && $0.value("inverse") == nil && $0.item != item
        }
        guard back.isEmpty else { return back.count == 1 ? [.set(item, [.init("inverse", back[0].item.name)])] : nil }
        let names = Set(DocumentNames(document).propertyNames(of: destination))
        let bare = entity.prefix(1).lowercased() + entity.dropFirst()
        let free = [bare] + (2...99).map { "\(bare)\($0)" }
        guard let name = free.first(where: { !names.contains($0) }) else { return nil }
        let inverse = SourceItem.property(name, entity: destination)
        return [
            .add(.relationship, inverse, [.init("destination", entity), .init("inverse", own)])
        ]
    }
}

extension ItemOutline {
    /// The outlines of the relationships that an entity itself declares, without inherited ones.
    fileprivate static func relationships(of entity: String, in document: ModelDocument) -> [ItemOutline] {
        document.items(in: .entity(entity)).compactMap { item in
            guard let path = document.path(to: item), let element = document.element(at: path),
                element.name == "relationship"
            else { return nil }
            return ItemOutline(of: element, as: item, in: document)
        }
    }
}
