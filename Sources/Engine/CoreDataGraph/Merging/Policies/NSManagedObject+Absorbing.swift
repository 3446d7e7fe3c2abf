import CoreDataStore

/// What an object takes over from another one with the same unique values, which is to leave.
extension NSManagedObject {
    /// Whether a slot of a new object was given a value, rather than left at its default.
    func isSet(_ slot: Int) -> Bool { working?.isChanged(slot) == true }

    /// Whether one of some properties was changed since the object was read.
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

    /// Whether an element of a composite attribute is another than when the object was read.
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

    /// Takes the values of stored attributes and to-one relationships, as far as they are wanted and others.
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

    /// Takes the members that were added to the other's to-many relationships.
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

    /// Gives some properties the values that they had when the object was last read or saved.
    func giveBack(_ names: [String]) {
        guard let slab else { return }
        let row = RowSnapshot(slab: slab, index: Int(rowIndex))
        for path in names.compactMap({ PropertyPath($0, in: entity) }) {
            switch layout.places[path.property.name] {
            case .attribute(let slot) where working?.isChanged(slot) == true && !path.elementPath.isEmpty:
                // The other elements keep their changes. A value that was there before is one of the element's.
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

    /// Takes a row that the store has if the object has an older one and no changes.
    func takeNewerRow(_ row: RowSnapshot) {
        guard let row = fitted(row), !hasChanges, row.version > snapshotVersion else { return }
        // A fault finds the row in the cache, where reading it has put it.
        if !isFault {
            RowConflictMerge(self, row: row, type: .mergeByPropertyStoreTrumpMergePolicyType).run()
        }
    }
}

extension HeldValue {
    /// Whether two values are the same, as far as that can be determined without a transformer.
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
