import CoreDataModeling

/// A backend's view of the store whose records it manages, without coordinator or contexts.
///
/// Called while the store is locked.
package protocol BackendDelegate: AnyObject {
    /// The store's identity, which identifiers of records contain.
    var identifier: String! { get }
    /// What the store says of itself.
    var metadata: [String: Any]! { get set }
    /// Whether the metadata was changed since the backend last wrote it.
    var hasUnsavedMetadata: Bool { get set }
    /// What the store's records of an entity share.
    func binding(for layout: EntityLayout) -> EntityBinding
    /// Makes the rows of a slab, which the backend made of others, the newest that are known.
    func publish(_ slab: RowSlab)
}
