import CoreDataStore

/// Reading and changing relationships. A change of one side updates the inverse immediately.
extension NSManagedObject {
    // MARK: Reading

    /// Returns the target of a to-one relationship; if it is not registered yet, makes a fault for it without a query.
    @usableFromInline func relatedObject(_ slot: Int) -> NSManagedObject? {
        willRead(slot)
        if let working, working.isHeld(slot) {
            guard case .reference(let target) = working.value(slot) else { return nil }
            return target as? NSManagedObject
        }
        guard slot < layout.storedCount, let slab, slab.tag(Int(rowIndex), slot) != RowTag.null,
            let context = registry?.context,
            let target = context.object(forReferenceIn: slab, row: Int(rowIndex), slot: slot)
        else { return nil }
        workingValues().setReference(target, place: WorkingValues.State.cached, slot: slot)
        return target
    }

    /// Returns the members of a to-many relationship, which are read from the store when they are first needed.
    @usableFromInline func relatedObjects(_ number: Int) -> [NSManagedObject] {
        willReadMembers(number)
        return loadedLinks(number).objects
    }

    /// The number of members of a to-many relationship.
    func relatedCount(_ number: Int) -> Int {
        willReadMembers(number)
        return loadedLinks(number).count
    }

    /// Whether an object is a member of a to-many relationship. Uses what the two objects know first, and reads the
    /// members only if that does not suffice.
    func isRelated(_ target: NSManagedObject, _ number: Int) -> Bool {
        willReadMembers(number)
        return knownMembership(of: target, number) ?? loadedLinks(number).contains(target)
    }

    /// Reports a read for observation tracking, and detects reads off the context's queue.
    private func willReadMembers(_ number: Int) {
        guard !flags.isDisjoint(with: .readWithCare) else { return }
        if flags.contains(.guarded) { checkQueue("'\(layout.toMany[number].name)'") }
        if flags.contains(.tracked) { operations.noteRead(.toMany(number)) }
    }

    /// The links of a to-many relationship; nil if they have not been used yet.
    func toManyLinks(_ number: Int) -> ToManyLinks? {
        guard let working, number < working.toMany.count else { return nil }
        return working.toMany[number]
    }

    /// The slot or number of a relationship in this object's layout; nil if its entity lacks the relationship.
    func place(of relationship: NSRelationshipDescription?) -> EntityLayout.Place? {
        relationship.flatMap { layout.places[$0.name] }
    }

    private func links(_ number: Int) -> ToManyLinks {
        if let known = toManyLinks(number) { return known }
        fireFaultIfNeeded()
        return knownLinks(number)
    }

    /// Returns the links of a to-many relationship, which may be not loaded; does not fire a fault.
    func knownLinks(_ number: Int) -> ToManyLinks {
        if let known = toManyLinks(number) { return known }
        let working = workingValues()
        while working.toMany.count < layout.toMany.count { working.toMany.append(nil) }
        let made = ToManyLinks(isOrdered: layout.toMany[number].isOrdered)
        working.toMany[number] = made
        if flags.contains(.displayed) { made.display = registry?.liveSets.display(of: self, number) }
        return made
    }

    func loadedLinks(_ number: Int) -> ToManyLinks {
        let links = links(number)
        guard !links.isLoaded else { return links }
        guard let context = registry?.context, context.dataSource.knows(self) else {
            links.load([])
            return links
        }
        // If the members cannot be read, the links remain not loaded, so that they are read again later: an empty set
        // would be saved as such.
        guard let members = context.storedMembers(of: self, layout.toMany[number]) else { return links }
        links.load(excludingMembersOfOthers(members, number))
        links.display?.show(links.objects)
        if let wanted = links.takeReplacement() { setRelated(Array(wanted.objects), number) }
        return links
    }

    /// Returns the members of a relationship that the store has; none for an object that has left its context.
    func storedMembers(_ number: Int) -> [NSManagedObject] {
        guard let context = registry?.context, context.dataSource.knows(self) else { return [] }
        return context.storedMembers(of: self, layout.toMany[number]) ?? []
    }

    /// Returns the objects at the other end of a relationship.
    func targets(of relationship: NSRelationshipDescription) -> [NSManagedObject] {
        switch layout.places[relationship.name] {
        case .toOne(let slot): relatedObject(slot).map { [$0] } ?? []
        case .toMany(let number): Array(relatedObjects(number))
        default: []
        }
    }

    /// The related objects that are known without a query.
    var loadedTargets: [NSManagedObject] {
        guard let working else { return [] }
        return working.objects + working.toMany.flatMap { $0?.objects ?? [] }
            + working.toMany.flatMap { $0?.added.objects ?? [] }
    }
    // MARK: Changing

    /// Sets the target of a to-one relationship and updates the inverses.
    func relate(_ slot: Int, to target: NSManagedObject?) {
        guard case .toOne(let relationship) = layout.slots[slot].content else { return }
        checkTarget(target, relationship)
        let former = relatedObject(slot)
        guard former !== target else { return }
        // While an object awakes from a fetch, changes are not recorded, so the inverses are not changed either.
        if flags.contains(.awaking) { return setTarget(target, slot) }
        if let inverse = relationship.inverseRelationship {
            former?.detach(self, from: inverse)
            target?.release(inverse, before: self)
        }
        setTarget(target, slot)
        if let target, let inverse = relationship.inverseRelationship { target.attach(self, to: inverse) }
    }

    /// Adds a member without changing the inverse; returns false if the object is known to be a member.
    func insertMember(_ target: NSManagedObject, _ number: Int) -> Bool {
        let links = links(number)
        guard links.canAdd(target) else {
            links.replacement?.append(target)
            return false
        }
        willChange(.addition(target, number))
        links.add(target)
        links.display?.showAdded(target)
        didChange(.addition(target, number))
        return true
    }

    /// Removes a member without changing the inverse; returns false if the object is known not to be a member.
    func removeMember(_ target: NSManagedObject, _ number: Int) -> Bool {
        let links = links(number)
        guard links.canRemove(target) else {
            links.replacement?.remove(target)
            return false
        }
        willChange(.removal(target, number))
        links.remove(target)
        links.display?.showRemoved(target)
        didChange(.removal(target, number))
        return true
    }

    /// Adds an object to a to-many relationship and updates the inverses; loads no members.
    func addRelated(_ target: NSManagedObject, _ number: Int) {
        let relationship = layout.toMany[number]
        checkTarget(target, relationship)
        guard knownMembership(of: target, number) != true, insertMember(target, number) else { return }
        if flags.contains(.awaking) { return }
        guard let inverse = relationship.inverseRelationship else { return takeFromFormerOwner(target, number) }
        target.release(inverse, before: self)
        target.attach(self, to: inverse)
        agreeOnChange(of: target, number)
    }

    /// Removes an object from a to-many relationship and updates the inverse. Loads members only if nothing else shows
    /// whether the object is one.
    func removeRelated(_ target: NSManagedObject, _ number: Int) {
        guard isRelated(target, number), removeMember(target, number), !flags.contains(.awaking) else { return }
        guard let inverse = layout.toMany[number].inverseRelationship else { return }
        target.detach(self, from: inverse)
        agreeOnChange(of: target, number)
    }

    /// Adds or removes a member of a relationship whose inverse is to-many or missing, and updates the inverse; does
    /// not load members.
    ///
    /// If neither side knows whether the object is a member, the change is recorded whatever the store has.
    func overruleRelated(_ target: NSManagedObject, _ number: Int, isMember: Bool) {
        guard knownMembership(of: target, number) != isMember else { return }
        overruleMember(target, number: number, isMember: isMember)
        if case .toMany(let back)? = target.place(of: layout.toMany[number].inverseRelationship) {
            target.overruleMember(self, number: back, isMember: isMember)
            agreeOnChange(of: target, number)
        } else if isMember {
            takeFromFormerOwner(target, number)
        }
    }

    /// Copies a change of a many-to-many relationship from the side that is loaded to the side that is not.
    ///
    /// Each side decides by what it knows of the store whether a second change only reverts the first. If the sides
    /// differed, a save would write a change that the loaded side does not have.
    private func agreeOnChange(of target: NSManagedObject, _ number: Int) {
        guard case .toMany(let back)? = target.place(of: layout.toMany[number].mutualInverse),
            let links = toManyLinks(number), let other = target.toManyLinks(back), links !== other
        else { return }
        if other.isLoaded {
            links.adoptChange(of: target, from: other, of: self)
        } else {
            other.adoptChange(of: self, from: links, of: target)
        }
    }

    private func overruleMember(_ target: NSManagedObject, number: Int, isMember: Bool) {
        let links = links(number)
        let change: PropertyChange = isMember ? .addition(target, number) : .removal(target, number)
        willChange(change)
        links.overrule(target, isMember: isMember)
        if isMember { links.display?.showAdded(target) } else { links.display?.showRemoved(target) }
        didChange(change)
    }

    /// Whether an object is a member, by this side if it is loaded, else by the other, without a query; nil if unknown.
    private func knownMembership(of target: NSManagedObject, _ number: Int) -> Bool? {
        if let links = toManyLinks(number), links.isLoaded { return links.contains(target) }
        guard let inverse = layout.toMany[number].inverseRelationship else { return nil }
        switch target.layout.places[inverse.name] {
        case .toOne(let slot):
            let held = target.relatedObject(slot)
            // The relationship of an object that cannot be read is unknown.
            return held == nil && target.isFault ? nil : held === self
        case .toMany(let back):
            guard let links = target.toManyLinks(back), links.isLoaded else { return nil }
            return links.contains(self)
        default: return nil
        }
    }

    /// Whether a related object refers to this one too, as far as known without a query. A deleted object keeps its own
    /// side of relationships, and an object that an undo brought back may find that the other side has changed.
    func inverseContains(_ target: NSManagedObject, _ relationship: NSRelationshipDescription) -> Bool {
        guard target.registry === registry else { return false }
        guard let inverse = relationship.inverseRelationship else { return true }
        switch target.layout.places[inverse.name] {
        case .toOne(let slot): return target.relatedObject(slot) === self
        case .toMany(let number):
            guard let links = target.toManyLinks(number) else { return mayBeStored(target, relationship) }
            if links.isLoaded { return links.contains(self) }
            return links.added.contains(self) || !links.removed.contains(self) && mayBeStored(target, relationship)
        default: return true
        }
    }

    /// Whether the store may have `target` at the other end of a relationship, by what this side knows.
    private func mayBeStored(_ target: NSManagedObject, _ relationship: NSRelationshipDescription) -> Bool {
        guard !isInserted else { return false }
        switch layout.places[relationship.name] {
        case .toOne(let slot): return working?.isChanged(slot) != true || isCommitted(.reference(target), slot)
        case .toMany(let number):
            guard let links = toManyLinks(number), links.isLoaded else { return true }
            return !links.added.contains(target) || links.coincides(target)
        default: return true
        }
    }

    /// Sets the target of a to-one relationship without changing the inverse.
    func setTarget(_ target: NSManagedObject?, _ slot: Int) {
        willChange(.value(slot))
        if let target {
            workingValues().setReference(target, place: WorkingValues.State.changed, slot: slot)
        } else {
            workingValues().setNull(slot: slot)
        }
        didChange(.value(slot))
    }

    /// Makes this object's side of a relationship refer to `source`.
    private func attach(_ source: NSManagedObject, to relationship: NSRelationshipDescription) {
        switch layout.places[relationship.name] {
        case .toOne(let slot): setTarget(source, slot)
        case .toMany(let number): _ = insertMember(source, number)
        default: break
        }
    }

    /// Makes this object's side of a relationship no longer refer to `source`.
    func detach(_ source: NSManagedObject, from relationship: NSRelationshipDescription) {
        switch layout.places[relationship.name] {
        case .toOne(let slot):
            // If this object cannot be read, it is assumed to refer to the source, as the model says.
            let held = relatedObject(slot)
            if held === source || held == nil && isFault { setTarget(nil, slot) }
        case .toMany(let number): _ = removeMember(source, number)
        default: break
        }
    }

    /// If this side is a to-one relationship, makes its present target no longer refer to this object: `next` replaces
    /// it.
    private func release(_ relationship: NSRelationshipDescription, before next: NSManagedObject) {
        guard case .toOne(let slot) = layout.places[relationship.name], let held = relatedObject(slot), held !== next,
            let back = relationship.inverseRelationship
        else { return }
        held.detach(self, from: back)
    }

    func checkTarget(_ target: NSManagedObject?, _ relationship: NSRelationshipDescription) {
        guard let target else { return }
        if let reason = refusal(of: target, relationship) { stop(reason) }
        if let context = registry?.context {
            target.joinIfNew(context)
        } else if let context = target.registry?.context {
            joinIfNew(context)
        }
    }

    /// Returns why an object cannot be at the other end of a relationship; nil if it can.
    func refusal(of target: NSManagedObject, _ relationship: NSRelationshipDescription) -> String? {
        if let mine = registry?.context, let other = target.registry?.context, mine !== other {
            return "Illegal attempt to establish a relationship '\(relationship.name)' between objects in different "
                + "contexts (source = \(objectID), destination = \(target.objectID))"
        }
        if let reason = unusableReason ?? target.unusableReason { return reason.localizedDescription }
        guard let wanted = relationship.destinationEntity, !target.entity.isKindOf(entity: wanted) else { return nil }
        return "Unacceptable type of value for relationship: property = \"\(relationship.name)\"; desired "
            + "type = \(wanted.name ?? "?"); given type = \(target.entity.name ?? "?"); entity = \(entity.name ?? "?")."
    }

    /// Inserts an object that was made without a context into the context of the object it is related to.
    private func joinIfNew(_ context: NSManagedObjectContext) {
        if registry == nil, flags.contains(.temporary) { context.insert(self) }
    }
}
