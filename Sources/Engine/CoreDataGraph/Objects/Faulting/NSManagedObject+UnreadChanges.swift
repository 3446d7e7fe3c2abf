import CoreDataStore

/// Changes to objects, and to relationships, that could not be read when they were changed.
///
/// The change is kept, and what it means for the other sides is resolved once the store can be read; no save writes it
/// before.
extension NSManagedObject {
    /// Takes the object out of the inverses of those that it referred to, after it was given others unread.
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

    /// Whether the object is changed and something of it may not have been read.
    @inline(__always) var mayHaveUnreadChanges: Bool {
        isChanged && (flags.contains(.fault) || working?.toMany.isEmpty == false)
    }

    /// Reads what was changed unread.
    ///
    /// - Throws: the store's error; nothing may be saved then.
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
