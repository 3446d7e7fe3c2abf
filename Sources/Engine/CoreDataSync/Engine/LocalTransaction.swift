/// An object of a local save: one that sync knows, or one that the save inserts, by a number that the caller chooses.
///
/// An object that an earlier save inserted is known, by the identity that was assigned to it when that save was captured.
package enum LocalObject: Hashable, Sendable {
    case known(ObjectIdentity)
    case new(Int)
}

/// What a save did to one object.
package struct LocalChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case insert(entity: String)
        case update
        case delete
    }

    package let object: LocalObject
    package let kind: Kind
    /// The values after the save: of an insertion all, of an update those that may have changed.
    package var values: [String: SyncValue]
    /// The contents of relationships after the save, as in ``SyncRow``: of an insertion all, of an update those that may have changed.
    package var links: [String: [LocalObject]]

    package init(
        _ object: LocalObject, _ kind: Kind, values: [String: SyncValue] = [:], links: [String: [LocalObject]] = [:]
    ) {
        self.object = object
        self.kind = kind
        self.values = values
        self.links = links
    }
}
