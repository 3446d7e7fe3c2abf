import CoreDataStore

/// Checks values for properties and writes them to rows of an entity.
struct RowBuilder {
    let layout: EntityLayout
    let store: NSPersistentStore
    /// Converts large values to the form in which the store keeps them; nil leaves them unconverted.
    let largeValues: (any LargeValueWriting)?

    /// Checks a value and writes it to the slot of the named property; returns that slot.
    ///
    /// - Throws: `NSCoreDataError` for a property that the entity does not have or that a batch request cannot set, and
    ///   for a value of another type than the property's.
    func set(_ value: Any?, named name: String, in slab: RowSlab, _ index: Int) throws -> Int {
        switch layout.places[name] {
        case .attribute(let slot):
            try set(attribute: value, slot, in: slab, index)
            return slot
        case .toOne(let slot):
            try set(target: value is NSNull ? nil : value, slot, in: slab, index)
            return slot
        case .toMany: throw refusal(name, "is a to-many relationship")
        case .fetched: throw refusal(name, "is a fetched property")
        case nil: throw unknown(name)
        }
    }

    /// Writes a value of an attribute, in the form in which managed objects keep values.
    func set(
        _ value: HeldValue, slot: Int, attribute: NSAttributeDescription, kind: AttributeKind, in slab: RowSlab,
        index: Int
    ) throws {
        guard !set(plain: value, slot, in: slab, index), case .reference(let reference) = value else { return }
        slab.set(RowTag.null, 0, row: slab.row(index), slot: slot)
        guard kind != .undefined || reference as? NSDecimalNumber != .notANumber else { return }
        try SlotCoding.encode(reference, kind: kind, attribute: attribute, largeValues: largeValues) { tag, bytes in
            slab.set(tag, slab.append(bytes), row: slab.row(index), slot: slot)
        }
    }

    /// Writes null or a number; returns false, without writing, for a reference, which cannot be encoded without its
    /// attribute.
    func set(plain value: HeldValue, _ slot: Int, in slab: RowSlab, _ index: Int) -> Bool {
        let row = slab.row(index)
        switch value {
        case .null: slab.set(RowTag.null, 0, row: row, slot: slot)
        case .integer(let integer): slab.set(RowTag.integer, UInt64(bitPattern: integer), row: row, slot: slot)
        case .real(let real) where real.isNaN: slab.set(RowTag.null, 0, row: row, slot: slot)
        case .real(let real): slab.set(RowTag.real, real.bitPattern, row: row, slot: slot)
        case .reference: return false
        }
        return true
    }

    /// Rounds the decimals of a row whose values are all set, if the store rounds decimals.
    func keepDecimals(in slab: RowSlab, _ index: Int) {
        if store.objects?.roundsDecimals == true { slab.keepDecimals(ofRow: index) }
    }

    /// The slot of an attribute that an expression may set; throws for any other property.
    func slot(ofComputed name: String) throws -> Int {
        guard let place = layout.places[name] else { throw unknown(name) }
        guard case .attribute(let slot) = place else { throw refusal(name, "is no attribute") }
        _ = try settable(slot)
        return slot
    }

    func settable(_ slot: Int) throws -> (NSAttributeDescription, AttributeKind) {
        guard case .attribute(let attribute, let kind) = layout.slots[slot].content else {
            throw refusal(layout.slots[slot].name, "is no attribute")
        }
        if attribute is NSDerivedAttributeDescription { throw refusal(attribute.name, "is derived") }
        if slot >= layout.storedCount { throw refusal(attribute.name, "is transient") }
        return (attribute, kind)
    }

    private func set(attribute value: Any?, _ slot: Int, in slab: RowSlab, _ index: Int) throws {
        let (attribute, kind) = try settable(slot)
        do {
            try set(
                SlotCoding.accept(value, for: attribute, kind), slot: slot, attribute: attribute, kind: kind, in: slab,
                index: index)
        } catch let error as ValueRejection {
            throw CoreDataError.make(NSCoreDataError, error.description, underlying: error)
        }
    }

    private func set(target value: Any?, _ slot: Int, in slab: RowSlab, _ index: Int) throws {
        guard case .toOne(let relationship) = layout.slots[slot].content else { return }
        if slot >= layout.storedCount { throw refusal(relationship.name, "is transient") }
        let row = slab.row(index)
        guard let target = try target(value, of: relationship) else {
            slab.set(RowTag.null, 0, row: row, slot: slot)
            return slab.set(RowTag.null, 0, row: row, slot: slot + 1)
        }
        slab.set(RowTag.integer, UInt64(bitPattern: target.key), row: row, slot: slot)
        slab.set(RowTag.integer, UInt64(target.binding.layout.number), row: row, slot: slot + 1)
    }

    private func target(_ value: Any?, of relationship: NSRelationshipDescription) throws -> NSManagedObjectID? {
        if let inverse = relationship.inverseRelationship, !inverse.isToMany {
            throw refusal(relationship.name, "is one end of a one-to-one relationship, which is kept in both records")
        }
        guard let value else { return nil }
        guard let target = value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID,
            let destination = relationship.destinationEntity, target.entity.isKindOf(entity: destination)
        else { throw refusal(relationship.name, "takes the NSManagedObjectID of an object of its destination") }
        guard !target.isTemporaryID else { throw CoreDataError.temporaryIdentifier(target) }
        guard target.persistentStore === store else {
            throw CoreDataError.otherStore(relationship.name, layout.entity.name ?? "")
        }
        return target
    }

    func refusal(
        _ name: String, _ reason: String, hint: String = "Set it on objects and save them.",
        underlying: ValueRejection? = nil
    ) -> NSError {
        CoreDataError.make(
            NSCoreDataError,
            "'\(name)' of entity '\(layout.entity.name ?? "")' cannot be set by a batch request: it \(reason).",
            hint: hint, underlying: underlying)
    }

    func unknown(_ name: String) -> NSError {
        let near = NameSuggestion(for: name, in: layout.entity.propertiesByName.keys.sorted())
        return CoreDataError.make(
            NSCoreDataError, "The entity '\(layout.entity.name ?? "")' has no property named '\(name)'.",
            hint: near?.sentence)
    }
}
