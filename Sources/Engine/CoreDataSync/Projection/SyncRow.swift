/// An object as a store's rows have it.
package struct SyncRow: Hashable, Sendable {
    package let id: ObjectIdentity
    package let entity: String
    /// The attributes by name.
    package var values: [String: SyncValue] = [:]
    /// The objects at the other end of relationships by name, in their order: of to-one relationships, ordered ones, and of one end of
    /// those that are to-many at both ends. The others follow from these.
    package var links: [String: [ObjectIdentity]] = [:]

    package init(
        _ id: ObjectIdentity, entity: String, values: [String: SyncValue] = [:],
        links: [String: [ObjectIdentity]] = [:]
    ) {
        self.id = id
        self.entity = entity
        self.values = values
        self.links = links
    }
}

/// A row as a save left it.
enum SavedRow {
    case whole(SyncRow)
    /// The row has these values, and is as it was otherwise.
    case values([String: SyncValue])
    case deleted
}
