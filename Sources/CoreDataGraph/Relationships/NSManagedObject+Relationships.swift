import CoreDataModeling

/// Reading and changing relationships, with both sides kept in step at once.
extension NSManagedObject {
    // MARK: Reading

    /// The target of a to-one relationship; reading it makes a fault, not a query.
    func relatedObject(_ slot: Int) -> NSManagedObject? {
        fireFaultIfNeeded(slot)
        if let working, working.isHeld(slot) {
            guard case .reference(let target) = working.value(slot) else { return nil }
            return target as? NSManagedObject
        }
        guard let slab, slab.tag(Int(rowIndex), slot) == RowTag.integer, let context = registry?.context,
            let target = context.object(forReferenceIn: slab, row: Int(rowIndex), slot: slot)
        else { return nil }
        workingValues().setReference(target, place: WorkingValues.State.cached, slot: slot)
        return target
    }

    /// The members of a to-many relationship, asked of the store when this is their first use.
    func relatedObjects(_ number: Int) -> [NSManagedObject] {
        loadedLinks(number).members.objects
    }

    /// The contents of a to-many relationship as far as they are known.
    func toManyLinks(_ number: Int) -> ToManyLinks? {
        guard let working, number < working.toMany.count else { return nil }
        return working.toMany[number]
    }

    private func links(_ number: Int) -> ToManyLinks {
        if let known = toManyLinks(number) { return known }
        fireFaultIfNeeded()
        let working = workingValues()
        while working.toMany.count < layout.toMany.count { working.toMany.append(nil) }
        let made = ToManyLinks(isOrdered: layout.toMany[number].isOrdered)
        working.toMany[number] = made
        return made
    }

    private func loadedLinks(_ number: Int) -> ToManyLinks {
        let links = links(number)
        guard !links.isLoaded else { return links }
        let isStored = flags.isDisjoint(with: [.temporary, .inaccessible])
        guard isStored, let context = registry?.context else {
            links.load([])
            return links
        }
        // Members that could not be read are asked for again: an empty set would be saved as such.
        guard let members = context.storedMembers(of: self, layout.toMany[number]) else { return links }
        links.load(members)
        if let wanted = links.takeReplacement() { setRelated(Array(wanted.objects), number) }
        return links
    }

    // MARK: Changing

    /// Makes `target` the one object of a to-one relationship and keeps the inverses.
    func relate(_ slot: Int, to target: NSManagedObject?) {
        guard case .toOne(let relationship) = layout.slots[slot].content else { return }
        checkTarget(target, relationship)
        let former = relatedObject(slot)
        guard former !== target else { return }
        // While an object awakes from a fetch nothing is recorded, and so nothing changed on the other side.
        if flags.contains(.awaking) { return setTarget(target, slot) }
        if let inverse = relationship.inverseRelationship {
            former?.detach(self, from: inverse)
            target?.release(inverse, before: self)
        }
        setTarget(target, slot)
        if let target, let inverse = relationship.inverseRelationship { target.attach(self, to: inverse) }
    }

    /// Adds to a to-many relationship and keeps the inverses.
    func addRelated(_ target: NSManagedObject, _ number: Int) {
        let relationship = layout.toMany[number]
        checkTarget(target, relationship)
        guard !isKnownMember(target, relationship), insertMember(target, number) else { return }
        if flags.contains(.awaking) { return }
        guard let inverse = relationship.inverseRelationship else { return }
        target.release(inverse, before: self)
        target.attach(self, to: inverse)
    }

    /// Takes out of a to-many relationship and keeps the inverses.
    func removeRelated(_ target: NSManagedObject, _ number: Int) {
        _ = loadedLinks(number)
        guard removeMember(target, number), !flags.contains(.awaking) else { return }
        if let inverse = layout.toMany[number].inverseRelationship { target.detach(self, from: inverse) }
    }

    /// Makes the given objects, in their order, the members of a to-many relationship.
    func setRelated(_ targets: [NSManagedObject], _ number: Int) {
        let wanted = ObjectList(targets)
        for member in relatedObjects(number) where !wanted.contains(member) { removeRelated(member, number) }
        if let links = toManyLinks(number), !links.isLoaded {
            willChange(.members(number))
            links.replacement = wanted
            didChange(.members(number))
        }
        for target in wanted.objects { addRelated(target, number) }
        guard layout.toMany[number].isOrdered else { return }
        let links = loadedLinks(number)
        guard !wanted.objects.elementsEqual(links.members.objects, by: ===) else { return }
        willChange(.order(number))
        links.reorder(wanted.objects)
        didChange(.order(number))
    }

    /// Puts an object among the members on this side alone; false when it is known to be one.
    private func insertMember(_ target: NSManagedObject, _ number: Int) -> Bool {
        let links = links(number)
        guard links.canAdd(target) else {
            links.replacement?.append(target)
            return false
        }
        willChange(.addition(target, number))
        links.add(target)
        didChange(.addition(target, number))
        return true
    }

    /// Takes an object out of the members on this side alone; false when it is known to be none.
    private func removeMember(_ target: NSManagedObject, _ number: Int) -> Bool {
        let links = links(number)
        guard links.canRemove(target) else {
            links.replacement?.removeKeepingOrder(target)
            return false
        }
        willChange(.removal(target, number))
        links.remove(target)
        didChange(.removal(target, number))
        return true
    }

    /// Whether the other, to-one side says already that an object is a member; asks for no members.
    private func isKnownMember(_ target: NSManagedObject, _ relationship: NSRelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseRelationship,
            case .toOne(let slot) = target.layout.places[inverse.name]
        else { return false }
        return target.relatedObject(slot) === self
    }

    private func setTarget(_ target: NSManagedObject?, _ slot: Int) {
        willChange(.value(slot))
        if let target {
            workingValues().setReference(target, place: WorkingValues.State.changed, slot: slot)
        } else {
            workingValues().setNull(slot: slot)
        }
        didChange(.value(slot))
    }

    /// Adds `source` to this side of the relationship that leads back to it.
    private func attach(_ source: NSManagedObject, to relationship: NSRelationshipDescription) {
        switch layout.places[relationship.name] {
        case .toOne(let slot): setTarget(source, slot)
        case .toMany(let number): _ = insertMember(source, number)
        default: break
        }
    }

    /// Takes `source` out of this side of the relationship that led back to it.
    func detach(_ source: NSManagedObject, from relationship: NSRelationshipDescription) {
        switch layout.places[relationship.name] {
        case .toOne(let slot):
            // Where it cannot be read, what led back to the source is what the model says of the two sides.
            let held = relatedObject(slot)
            if held === source || held == nil && isFault { setTarget(nil, slot) }
        case .toMany(let number): _ = removeMember(source, number)
        default: break
        }
    }

    /// When this side is a to-one relationship, lets go of the object that it holds now, since `next` takes its place.
    private func release(_ relationship: NSRelationshipDescription, before next: NSManagedObject) {
        guard case .toOne(let slot) = layout.places[relationship.name], let held = relatedObject(slot), held !== next,
            let back = relationship.inverseRelationship
        else { return }
        held.detach(self, from: back)
    }

    private func checkTarget(_ target: NSManagedObject?, _ relationship: NSRelationshipDescription) {
        guard let target else { return }
        if let reason = refusal(of: target, relationship) { stop(reason) }
        if let context = registry?.context {
            target.joinIfNew(context)
        } else if let context = target.registry?.context {
            joinIfNew(context)
        }
    }

    /// Why an object cannot be at the other end of a relationship; nil when it can.
    func refusal(of target: NSManagedObject, _ relationship: NSRelationshipDescription) -> String? {
        if let mine = registry?.context, let other = target.registry?.context, mine !== other {
            return "Illegal attempt to establish a relationship '\(relationship.name)' between objects in different "
                + "contexts (source = \(objectID), destination = \(target.objectID))"
        }
        if let reason = target.unusableReason { return reason.localizedDescription }
        guard let wanted = relationship.destinationEntity, !target.entity.isKindOf(entity: wanted) else { return nil }
        return "Unacceptable type of value for relationship: property = \"\(relationship.name)\"; desired "
            + "type = \(wanted.name ?? "?"); given type = \(target.entity.name ?? "?"); entity = \(entity.name ?? "?")."
    }

    /// An object that was made without a context comes into that of the object it is related to.
    private func joinIfNew(_ context: NSManagedObjectContext) {
        if registry == nil, flags.contains(.temporary) { context.insert(self) }
    }
}
