import CoreDataModeling

/// An item of a model source with the options that the source states, and the outlines of the items in it.
package struct ItemOutline: Sendable {
    package let item: SourceItem
    package let kind: SourceItemKind
    /// The values that the source states, with the options' names; defaults are omitted.
    package let values: [(name: String, value: String)]
    /// The outlines of the items directly in this one, in the order of the source.
    package let parts: [ItemOutline]

    /// The outline of an item, whose element is given.
    init(of element: ModelElement, as item: SourceItem, in document: ModelDocument) {
        self.item = item
        kind = SourceItemKind(of: item, element: element.name)
        values = kind.options.compactMap { option in
            guard option.reasonAgainst(element) == nil, option.isStated(in: element),
                let value = option.value(of: element)
            else { return nil }
            return (option.name, value)
        }
        parts = Self.parts(of: element, in: item, document)
    }

    fileprivate static func parts(
        of element: ModelElement, in owner: SourceItem, _ document: ModelDocument
    ) -> [ItemOutline] {
        element.elements.flatMap { inner in
            let items = document.items(of: inner, in: owner)
            let isList = inner.name == "uniquenessConstraints" || inner.name == "userInfo"
            return zip(isList ? inner.elements : [inner], items).map { ItemOutline(of: $0, as: $1, in: document) }
        }
    }
}

extension ModelDocument {
    /// The outlines of the items directly in the model: entities, fetch requests, configurations, composites.
    package var outline: [ItemOutline] { ItemOutline.parts(of: root, in: .model, self) }

    /// The outlines of the top-level items that are new or differ from those of an earlier document, and the items of
    /// that document which no longer exist.
    ///
    /// Compares all top-level elements, and builds outlines only of those that differ.
    package func outline(since other: ModelDocument) -> (changed: [ItemOutline], removed: [SourceItem]) {
        if let changed = outlineOfSameItems(since: other) { return (changed, []) }
        let (old, new) = (other.elementsByItem, elementsByItem)
        let changed = new.filter { old[$0.key] != $0.value }
        let outlines = root.elements.flatMap { element -> [ItemOutline] in
            items(of: element, in: .model).filter { changed[$0] != nil }.map {
                ItemOutline(of: element, as: $0, in: self)
            }
        }
        return (outlines, old.keys.filter { new[$0] == nil })
    }

    /// The outlines that differ, if both documents have the same top-level items in the same order; else nil.
    private func outlineOfSameItems(since other: ModelDocument) -> [ItemOutline]? {
        let (old, new) = (other.root.elements, root.elements)
        guard old.count == new.count else { return nil }
        var changed: [ItemOutline] = []
        for (former, element) in zip(old, new) where former != element {
            let found = items(of: element, in: .model)
            guard other.items(of: former, in: .model) == found else { return nil }
            changed += found.map { ItemOutline(of: element, as: $0, in: self) }
        }
        return changed
    }

    private var elementsByItem: [SourceItem: ModelElement] {
        let pairs = root.elements.flatMap { element in items(of: element, in: .model).map { ($0, element) } }
        return Dictionary(pairs) { first, _ in first }
    }
}
