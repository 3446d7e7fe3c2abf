import CoreDataFoundation

/// A source that can be read as a model, and can advance to other states, of which only the differences are read.
///
/// Invariants:
/// 1. The current source can be read as a model.
/// 2. The next one is accepted if and only if it can be read completely: every refusal comes from a complete reading.
///
/// A rule that refuses a source examines an entity, its ancestors, the destinations of its relationships with their
/// ancestors, and the destinations of the inverses there. So an unchanged entity can be refused only if the interface
/// of one of these has changed; the entities concerned are found by following dependents twice. They and the changed
/// entities are read completely, and the entities to which they refer as placeholders.
package struct AcceptedSource: Sendable {
    private var entities: SourceEntities?
    /// The number of complete readings of a source.
    package private(set) var wholeCount = 1

    /// Reads a source completely.
    ///
    /// - Throws: `ModelingError` with the position.
    package init(_ document: ModelDocument) throws {
        _ = try document.makeModel()
        entities = SourceEntities(document)
    }

    /// Advances to another state of the source, which may differ in anything.
    ///
    /// - Throws: `ModelingError` with the position; the current source is then unchanged.
    package mutating func advance(to document: ModelDocument) throws {
        guard let former = entities, let next = SourceEntities(document, after: former),
            let excerpt = next.excerpt(after: former), (try? ModelSourceReader.read(excerpt)) != nil
        else {
            let count = wholeCount
            self = try AcceptedSource(document)
            wholeCount += count
            return
        }
        entities = next
    }
}

extension SourceEntities {
    /// A part of this source that can be read only if all of it can, since the former source could; nil if a complete
    /// reading is needed.
    fileprivate func excerpt(after former: SourceEntities) -> ModelDocument? {
        guard keepsAll(of: former), !changed.contains(where: hasComposites),
            let read = entitiesToRead(after: former), read.count <= entries.count / 2 + 1
        else { return nil }
        var needed: Set<String> = []
        for name in read {
            let destinations = entries[name]?.interface.properties.compactMap(\.destination) ?? []
            for other in [name] + destinations where entries[other] != nil {
                guard let line = lineage(of: other) else { return nil }
                needed.formUnion(line)
            }
        }
        let elements = needed.sorted().compactMap { name in
            read.contains(name) ? entries[name]?.element : entries[name]?.interface.standIn(within: needed)
        }
        let composites = others.filter { $0.name == "composite" }
        return ModelDocument(root: ModelElement("model", attributes, elements: composites + elements))
    }

    /// The changed entities and those that may be refused because of the changes; nil if a complete reading is needed.
    private func entitiesToRead(after former: SourceEntities) -> Set<String>? {
        let altered = changed.filter { name in
            former.entries[name].map { $0.interface != entries[name]?.interface } ?? false
        }
        let hasFresh = changed.contains { former.entries[$0] == nil }
        guard hasFresh || !altered.isEmpty else { return changed }
        guard let count = propertyCount(), count <= ModelAssembly.greatestPropertyCount else { return nil }
        guard !altered.isEmpty else { return changed }
        return dependents(of: altered).flatMap(dependents).map { $0.union(changed) }
    }

    /// Whether an entity has composite attributes, whose rules concern the entire model.
    private func hasComposites(_ name: String) -> Bool {
        entries[name]?.element.elements.contains { $0.name == "attribute" && $0["attributeType"] == "Composite" }
            ?? true
    }
}
