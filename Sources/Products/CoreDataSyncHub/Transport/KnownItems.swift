import CoreDataSyncing

/// The items of a group as a client knows them, from lists of which each says what changed since the last.
struct KnownItems: Sendable {
    private(set) var cursor: HubCursor?
    private var items: [String: SyncItem] = [:]

    var all: [SyncItem] { Array(items.values) }

    /// Takes a list that was asked for with a cursor. One that builds on another state than the present changes nothing.
    ///
    /// - Returns: false if the list builds on what the hub was not asked about, or makes the items too many.
    mutating func apply(_ list: HubList, since asked: HubCursor?) -> Bool {
        guard list.isWhole || (asked != nil && asked?.run == list.cursor.run) else { return false }
        if !list.isWhole {
            guard asked == cursor else { return true }
            guard items.count + list.items.count <= HubList.greatestCount else { return false }
        }
        if list.isWhole { items = [:] }
        for item in list.items { items[item.name] = item }
        for name in list.removed { items[name] = nil }
        cursor = list.cursor
        return true
    }
}
