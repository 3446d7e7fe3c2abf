import CoreDataStore

/// Copies values and members to the object that stays from one with the same unique values, which is then deleted.
extension NSManagedObject {
    /// Whether a slot of a new object was given a value, rather than left at its default.
    func isSet(_ slot: Int) -> Bool { working?.isChanged(slot) == true }

    /// Whether at least one of the named properties was changed since the object was last read or saved.
    func hasChanged(_ names: [String]) -> Bool {
        names.contains { name in
            guard let path = PropertyPath(name, in: entity) else { return false }
            return switch layout.places[path.property.name] {
            case .attribute(let slot) where !path.elementPath.isEmpty:
                working?.isChanged(slot) == true && hasChangedElement(path, slot)
            case .attribute(let slot), .toOne(let slot): working?.isChanged(slot) == true
            default: false
            }
        }
    }

    /// Whether an element of a composite attribute differs from its value when the object was last read or saved.
    private func hasChangedElement(_ path: PropertyPath, _ slot: Int) -> Bool {
        let present = (try? codedValue(forKey: path.property.name)) as? [String: Any]
        let value = CompositeCoding.value(at: path.elementPath, in: present ?? [:])
        return !StoredEquality.areEqual(value, committedElement(path, slot))
    }

    /// The value that an element of a composite attribute had when the object was last read or saved.
    private func committedElement(_ path: PropertyPath, _ slot: Int) -> Any? {
        guard let slab, case .attribute(let attribute, let kind) = layout.slots[slot].content else { return nil }
        let committed =
            SlotCoding.decode(slab, index: Int(rowIndex), slot: slot, kind: kind, attribute: attribute, owner: self)
            as? [String: Any]
        return CompositeCoding.value(at: path.elementPath, in: committed ?? [:])
    }

    /// Copies the values of stored attributes and to-one relationships of another object for which `isWanted` returns
    /// true and which differ.
    func takeValues(of other: NSManagedObject, where isWanted: (NSManagedObject, Int) -> Bool) {
        for slot in other.attributeSlots where isWanted(other, slot) {
            guard case .attribute(let own)? = layout.places[other.layout.slots[slot].name] else { continue }
            takeValue(other.presentValue(slot), own)
        }
        for slot in other.toOneSlots where isWanted(other, slot) {
            guard case .toOne(let own)? = layout.places[other.layout.slots[slot].name] else { continue }
            let target = other.relatedObject(slot)
            other.relate(slot, to: nil)
            assignTarget(own, target)
        }
    }

    private func takeValue(_ value: HeldValue, _ slot: Int) {
        guard slot < layout.storedCount, !presentValue(slot).isSame(as: value) else { return }
        willChange(.value(slot))
        store(value, slot)
        didChange(.value(slot))
    }

    /// Moves the members that were added to the other object's to-many relationships to this object's.
    func takeMembers(of other: NSManagedObject) {
        for (number, relationship) in other.layout.toMany.enumerated() {
            guard let added = other.toManyLinks(number)?.added.objects else { continue }
            for member in added {
                other.removeRelated(member, number)
                guard case .toMany(let own)? = layout.places[relationship.name], member.registry === registry,
                    !member.isDeleted
                else { continue }
                addRelated(member, own)
            }
        }
    }

    /// Sets the named properties back to the values that they had when the object was last read or saved.
    func giveBack(_ names: [String]) {
        guard let slab else { return }
        let row = RowSnapshot(slab: slab, index: Int(rowIndex))
        for path in names.compactMap({ PropertyPath($0, in: entity) }) {
            switch layout.places[path.property.name] {
            case .attribute(let slot) where working?.isChanged(slot) == true && !path.elementPath.isEmpty:
                // Other elements keep their changes. `try?`: the element accepts its committed value.
                try? setElement(committedElement(path, slot), at: path.elementPath, of: path.property.name)
            case .attribute(let slot) where working?.isChanged(slot) == true:
                willChange(.value(slot))
                working?.discard(slot)
                didChange(.value(slot))
            case .toOne(let slot): assignTarget(slot, target(in: row, slot))
            default: continue
            }
        }
        forgetEqualValues()
        registry?.context?.objectRefreshed(self)
        awakeFromPolicy()
    }

    /// Adopts a row of the store if it is newer than the object's snapshot and the object has no changes.
    func takeNewerRow(_ row: RowSnapshot) {
        guard let row = fitted(row), !hasChanges, row.version > snapshotVersion else { return }
        // A fault will find the row in the row cache, where the store's read put it.
        if !isFault {
            RowConflictMerge(self, row: row, type: .mergeByPropertyStoreTrumpMergePolicyType).run()
        }
    }
}

extension HeldValue {
    /// Whether two values are equal; objects of unknown types are compared without a value transformer.
    func isSame(as other: HeldValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        case (.real(let one), .real(let other)): one == other
        case (.reference(let one), .reference(let other)): StoredEquality.areEqual(one, other)
        default: false
        }
    }
}
