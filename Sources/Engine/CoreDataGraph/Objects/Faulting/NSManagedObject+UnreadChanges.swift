import CoreDataStore

/// Changes of objects and relationships that were made while the store could not be read.
///
/// The object keeps such a change; the inverse relationships are updated when the store can be read. No save writes the
/// change before.
extension NSManagedObject {
    /// Removes the object from the inverses of the objects that its snapshot refers to, after its to-one relationships
    /// were changed while it could not be read.
    func releaseFormerTargets() {
        guard let working, let slab, let context = registry?.context else { return }
        for slot in 0..<layout.storedCount where layout.traits[slot].contains(.toOne) && working.isChanged(slot) {
            guard case .toOne(let relationship) = layout.slots[slot].content,
                let inverse = relationship.inverseRelationship,
                let former = context.object(forReferenceIn: slab, row: Int(rowIndex), slot: slot),
                former !== relatedObject(slot)
            else { continue }
            former.detach(self, from: inverse)
        }
    }

    /// Whether the object has changes and may have values that were not read.
    @inline(__always) var mayHaveUnreadChanges: Bool {
        isChanged && (flags.contains(.fault) || working?.toMany.isEmpty == false)
    }

    /// Reads the object if it was changed while it could not be read, and applies its pending changes of relationships.
    ///
    /// - Throws: the store's error; the context must not be saved then.
    func readUnreadChanges() throws {
        if flags.contains(.fault), try FaultResolver.fill(self) { FaultResolver.awake(self) }
        guard let working else { return }
        for (number, links) in working.toMany.enumerated() where links?.replacement != nil {
            guard let context = registry?.context else { return }
            context.readingFailure = nil
            _ = relatedObjects(number)
            if let failure = context.readingFailure { throw failure }
        }
    }
}
