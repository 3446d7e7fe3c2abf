import CoreDataStore

/// The list of a fetched results controller in one state: the identifiers of its sections and items.
///
/// An immutable value that may be passed to any thread. Making one costs little even for a long list, since it
/// shares the identifiers with the controller. Apple's framework returns a snapshot of UIKit's instead.
///
/// ```swift
/// for await snapshot in controller.snapshots {
///     for section in snapshot.sectionIdentifiers {
///         print(section, snapshot.numberOfItems(inSection: section))
///     }
/// }
/// ```
public struct FetchedResultsSnapshot: Sendable {
    private let state: ListState
    private let hasSections: Bool
    /// The items that changed without moving since the previous snapshot; empty for the first one.
    public let reloadedItemIdentifiers: [NSManagedObjectID]

    init(_ state: ListState, hasSections: Bool, reloaded: [NSManagedObjectID] = []) {
        self.state = state
        self.hasSections = hasSections
        reloadedItemIdentifiers = reloaded
    }

    /// The names of the sections in their order; one empty name for a controller without sections.
    public var sectionIdentifiers: [String] { hasSections ? state.sections.map(\.name) : [""] }

    /// The number of sections; one for a controller without sections.
    public var numberOfSections: Int { hasSections ? state.sectionCount : 1 }

    /// How many items there are.
    public var numberOfItems: Int { state.count }

    /// The identifiers of all items in their order; each call creates the array.
    public var itemIdentifiers: [NSManagedObjectID] { identifiers(0..<state.count) }

    /// The identifiers of the items in the section with a name; empty if there is no such section.
    public func itemIdentifiers(inSection identifier: String) -> [NSManagedObjectID] {
        identifiers(range(of: identifier) ?? 0..<0)
    }

    /// The number of items in the section with a name; 0 if there is no such section.
    public func numberOfItems(inSection identifier: String) -> Int { range(of: identifier)?.count ?? 0 }

    /// The identifier of the item at a section and row; nil for an index path beyond the list.
    public func itemIdentifier(at path: IndexPath) -> NSManagedObjectID? {
        state.index(at: path, hasSections: hasSections).map { state.address(at: $0).objectID }
    }

    /// The index path of an item, found by searching all items; nil for an item that is not in the list.
    public func indexPath(forItemIdentifier identifier: NSManagedObjectID) -> IndexPath? {
        let place = RowKey(RowAddress(binding: identifier.binding, key: identifier.key))
        return state.index(of: place).map(state.path)
    }

    /// The sections with their items. Several sections have the same name if the sort descriptors do not sort by
    /// section.
    var sections: [(name: String, items: [NSManagedObjectID])] {
        guard hasSections else { return [("", itemIdentifiers)] }
        return state.sections.map { ($0.name, identifiers($0.range)) }
    }

    private func identifiers(_ range: Range<Int>) -> [NSManagedObjectID] {
        range.map { state.address(at: $0).objectID }
    }

    private func range(of section: String) -> Range<Int>? {
        guard hasSections else { return section.isEmpty ? 0..<state.count : nil }
        return state.sections.first { TextComparison.areEqual($0.name, section) }?.range
    }
}
