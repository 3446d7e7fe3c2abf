import CoreDataStore

extension SlotCoding {
    /// Decodes a stored value; nil for null. If the bytes are not a value of the attribute's type, reports an error to
    /// the owner's context and returns nil.
    static func decode(
        _ slab: RowSlab, index: Int, slot: Int, kind: AttributeKind, attribute: NSAttributeDescription,
        owner: NSManagedObject
    ) -> Any? {
        do {
            return try value(slab, index: index, slot: slot, kind: kind, attribute: attribute)
        } catch {
            let known = error as? ValueRejection ?? .undecodable(attribute, error)
            owner.registry?.context?.report(known, for: owner)
            return nil
        }
    }
}
