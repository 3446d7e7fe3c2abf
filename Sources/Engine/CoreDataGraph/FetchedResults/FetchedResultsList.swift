import CoreDataStore

/// A list of identifiers in sections, updated by applying a controller's changes; for showing them in a view.
///
/// ```swift
/// var list = FetchedResultsList(snapshot)
/// for await changes in controller.changes {
///     for path in list.apply(changes) { print("show row \(path.item) of section \(path.section) again") }
/// }
/// ```
public struct FetchedResultsList: Sendable {
    /// A section and its items.
    public struct Section: Sendable, Equatable {
        /// The name of the section; empty in a list without sections.
        public var name: String
        /// The identifiers of the items in their order.
        public var items: [NSManagedObjectID]
    }

    /// The sections in their order.
    public private(set) var sections: [Section]

    /// Makes the list of a snapshot.
    public init(_ snapshot: FetchedResultsSnapshot) {
        sections = snapshot.sections.map { Section(name: $0.name, items: $0.items) }
    }

    /// Applies a change to the list, which must be the next one of its controller.
    ///
    /// First removes items at their former index paths, then inserts items at their new ones, as in table views; a move
    /// does both. Returns the new index paths of the updated and moved items, which must be shown again. Stops the
    /// program for an index path that is not in the list.
    @discardableResult
    public mutating func apply(_ changes: FetchedResultsChanges) -> [IndexPath] {
        let leaving = changes.items.filter { $0.type == .delete || $0.type == .move }.compactMap(\.indexPath)
        for path in leaving.sorted(by: >) { sections[path.section].items.remove(at: path.item) }
        for section in changes.deletedSections { sections.remove(at: section.index) }
        for section in changes.insertedSections {
            sections.insert(Section(name: section.name, items: []), at: section.index)
        }
        let coming = changes.items.compactMap { item in item.newIndexPath.map { ($0, item.identifier) } }
        for (path, identifier) in coming.sorted(by: { $0.0 < $1.0 }) {
            sections[path.section].items.insert(identifier, at: path.item)
        }
        rename(changes.newIdentifiers)
        return shownAgain(changes)
    }

    private mutating func rename(_ identifiers: [NSManagedObjectID: NSManagedObjectID]) {
        guard !identifiers.isEmpty else { return }
        for number in sections.indices {
            for (index, item) in sections[number].items.enumerated() {
                if let present = identifiers[item] { sections[number].items[index] = present }
            }
        }
    }

    private func shownAgain(_ changes: FetchedResultsChanges) -> [IndexPath] {
        let changed = Set(changes.items.filter { $0.type == .update || $0.type == .move }.map(\.identifier))
        guard !changed.isEmpty else { return [] }
        return sections.enumerated().flatMap { number, section in
            section.items.indices.filter { changed.contains(section.items[$0]) }.map {
                IndexPath(item: $0, section: number)
            }
        }
    }
}
