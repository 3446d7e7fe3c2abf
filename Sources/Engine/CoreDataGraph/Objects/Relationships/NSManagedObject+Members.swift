import CoreDataStore

/// Changes of several members of a to-many relationship, or of their order, at once.
extension NSManagedObject {
    /// Makes the given objects, in their order, the members of a to-many relationship.
    func setRelated(_ targets: [NSManagedObject], _ number: Int) {
        let isObserved = flags.contains(.observed) && operations.willReplaceMembers(number, by: targets)
        defer { if isObserved { operations.didReplaceMembers(number) } }
        let links = loadedLinks(number)
        showingTogether(links) {
            let wanted = ObjectList(targets)
            for member in links.objects where !wanted.contains(member) { removeRelated(member, number) }
            if !links.isLoaded { replaceUnread(links, wanted: wanted, number: number) }
            for target in wanted.objects { addRelated(target, number) }
            setOrder(wanted.objects, links: links, number: number)
        }
    }

    /// Inserts an object into an ordered relationship at an index; an object that is a member already stays where it
    /// is.
    func insertRelated(_ target: NSManagedObject, _ number: Int, at index: Int) {
        let links = loadedLinks(number)
        checkIndex(index, upTo: links.count, number)
        guard !links.contains(target) else { return }
        showingTogether(links) {
            addRelated(target, number)
            guard index < links.count - 1, links.contains(target) else { return }
            willChange(.order(number))
            links.move(target, to: index)
            didChange(.order(number))
        }
    }

    /// Inserts objects that are not members yet, so that they have the given indexes afterwards.
    func insertRelated(_ targets: [NSManagedObject], _ number: Int, at indexes: IndexSet) {
        checkCount(targets.count, indexes: indexes, number: number)
        var order = relatedObjects(number)
        let known = ObjectList(order)
        for (target, index) in zip(targets, indexes) where !known.contains(target) {
            checkIndex(index, upTo: order.count, number)
            order.insert(target, at: index)
        }
        setRelated(order, number)
    }

    /// Removes the members at some indexes from an ordered relationship.
    func removeRelated(at indexes: IndexSet, _ number: Int) {
        let members = relatedObjects(number)
        for index in indexes { checkIndex(index, upTo: members.count - 1, number) }
        showingTogether(loadedLinks(number)) {
            for index in indexes { removeRelated(members[index], number) }
        }
    }

    /// Replaces the members at some indexes by other objects; one that was a member elsewhere moves.
    func replaceRelated(at indexes: IndexSet, with targets: [NSManagedObject], _ number: Int) {
        checkCount(targets.count, indexes: indexes, number: number)
        let members = relatedObjects(number)
        for index in indexes { checkIndex(index, upTo: members.count - 1, number) }
        let coming = ObjectList(targets)
        var replacements = zip(indexes, targets).makeIterator()
        var next = replacements.next()
        var order: [NSManagedObject] = []
        for (index, member) in members.enumerated() {
            if let (place, target) = next, place == index {
                order.append(target)
                next = replacements.next()
            } else if !coming.contains(member) {
                order.append(member)
            }
        }
        setRelated(order, number)
    }

    /// Records the new members of a relationship whose present members cannot be read; they are set once these have
    /// been read.
    private func replaceUnread(_ links: ToManyLinks, wanted: ObjectList<NSManagedObject>, number: Int) {
        willChange(.members(number))
        links.replacement = wanted
        didChange(.members(number))
    }

    /// Sets the order of the members of an ordered relationship, without a change of the inverse.
    func setOrder(_ order: [NSManagedObject], links: ToManyLinks, number: Int) {
        guard links.isOrdered, !order.elementsEqual(links.objects, by: ===) else { return }
        showingTogether(links) {
            willChange(.order(number))
            links.reorder(order)
            didChange(.order(number))
        }
    }

    /// Runs a block of several changes, and updates the program's mutable ordered set, if any, once after them.
    private func showingTogether(_ links: ToManyLinks, _ body: () -> Void) {
        guard let display = links.display else { return body() }
        links.display = nil
        body()
        links.display = display
        display.show(links.objects)
    }

    private func checkIndex(_ index: Int, upTo end: Int, _ number: Int) {
        guard index < 0 || index > end else { return }
        stop(
            "Index \(index) is beyond the members of the ordered relationship '\(layout.toMany[number].name)' of entity "
                + "'\(entity.name ?? "")', of which there are \(relatedCount(number)).")
    }

    private func checkCount(_ count: Int, indexes: IndexSet, number: Int) {
        guard count != indexes.count else { return }
        stop("\(count) objects were given for \(indexes.count) indexes of '\(layout.toMany[number].name)'.")
    }
}
