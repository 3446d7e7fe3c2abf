import CoreDataModeling

/// The part of a persistent store that a backend uses: the store's identity and metadata, without coordinator or
/// contexts.
///
/// Called while the store is locked.
package protocol BackendDelegate: AnyObject {
    /// The UUID of the store, which identifiers of records contain.
    var identifier: String! { get }
    /// The metadata of the store.
    var metadata: [String: Any]! { get set }
    /// Whether the metadata was changed since the backend last wrote it.
    var hasUnsavedMetadata: Bool { get set }
    /// The binding of the store's records of an entity: what all of these records share.
    func binding(for layout: EntityLayout) -> EntityBinding
    /// Puts the rows of a slab that the backend has filled into the row cache, in place of older versions of the same
    /// rows.
    func publish(_ slab: RowSlab)
}
