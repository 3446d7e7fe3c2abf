import CoreDataStore

/// The list of a fetched results controller in one state: identifiers of its sections and items.
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
    /// The items whose contents changed in their places since the snapshot before; empty for the first one.
    public let reloadedItemIdentifiers: [NSManagedObjectID]

    init(_ state: ListState, hasSections: Bool, reloaded: [NSManagedObjectID] = []) {
        self.state = state
        self.hasSections = hasSections
        reloadedItemIdentifiers = reloaded
    }

    /// The names of the sections in their order; one empty name where there are no sections.
    public var sectionIdentifiers: [String] { hasSections ? state.sections.map(\.name) : [""] }

    /// The number of sections; one for a controller without sections.
    public var numberOfSections: Int { hasSections ? state.sectionCount : 1 }

    /// How many items there are.
    public var numberOfItems: Int { state.count }

    /// The identifiers of all items in their order; created by each call.
    public var itemIdentifiers: [NSManagedObjectID] { identifiers(0..<state.count) }

    /// The identifiers of a section's items by the section's name; none for a section that is not there.
    public func itemIdentifiers(inSection identifier: String) -> [NSManagedObjectID] {
        identifiers(range(of: identifier) ?? 0..<0)
    }

    /// How many items are in a section; none for a section that is not there.
    public func numberOfItems(inSection identifier: String) -> Int { range(of: identifier)?.count ?? 0 }

    /// The identifier of the item at a section and row; nil for an index path beyond the list.
    public func itemIdentifier(at path: IndexPath) -> NSManagedObjectID? {
        state.index(at: path, hasSections: hasSections).map { state.address(at: $0).objectID }
    }

    /// Where an item is, by looking at one after the other; nil for one that is not there.
    public func indexPath(forItemIdentifier identifier: NSManagedObjectID) -> IndexPath? {
        let place = RowKey(RowAddress(binding: identifier.binding, key: identifier.key))
        return state.index(of: place).map(state.path)
    }

    /// The sections with their items, also those that share a name where the order does not agree with the sections.
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
