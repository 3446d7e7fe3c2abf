import CoreDataStore

/// Notifying the delegate and the streams of changes of the list.
extension ResultsEngine {
    /// Notifies observers of a step; the list already has its state after the step.
    func announce(_ delta: ListDelta, before: ListState) {
        guard !delta.isEmpty, let controller else { return }
        for row in delta.rows where row.kind == .delete { row.object.map(release) }
        notifyStreams(delta)
        guard !notifyWhole(delta, controller) else { return }
        notifyBeginning(delta, before: before, controller: controller)
        notifySections(delta, controller)
        notifyRows(delta, controller)
        observers.delegate(for: .didChange)?.controllerDidChangeContent(controller)
    }

    /// Notifies the observers of complete lists after a first fetch.
    func announceFetch() {
        let snapshot = FetchedResultsSnapshot(state, hasSections: hasSections)
        observers.snapshots.yield(snapshot)
        guard let controller else { return }
        observers.delegate(for: .snapshot)?.controller(controller, didChangeContentWith: snapshot)
    }

    /// Notifies the observers that use identifiers of objects whose identifiers have changed.
    func announceNewIdentifiers() {
        let renamed = takeRenamed()
        guard !renamed.isEmpty, let controller else { return }
        notifyStreams(ListDelta(), newIdentifiers: Dictionary(renamed, uniquingKeysWith: { $1 }))
        if let delegate = observers.delegate(for: .snapshot) {
            delegate.controller(controller, didChangeContentWith: snapshot(after: ListDelta()))
            if observers.delegate(for: .snapshot) != nil { return }
        }
        guard !hasSections, let delegate = observers.delegate(for: .difference) else { return }
        delegate.controller(controller, didChangeContentWith: difference(of: renamed))
    }

    private func difference(
        of renamed: [(NSManagedObjectID, NSManagedObjectID)]
    ) -> CollectionDifference<NSManagedObjectID> {
        var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
        for (former, present) in renamed {
            let place = RowKey(RowAddress(binding: present.binding, key: present.key))
            guard let index = index(of: place) else { continue }
            changes.append(.remove(offset: index, element: former, associatedWith: nil))
            changes.append(.insert(offset: index, element: present, associatedWith: nil))
        }
        // Each identifier is in the list once, so the offsets of removals differ, and so do those of insertions.
        return CollectionDifference(changes).unsafelyUnwrapped
    }

    private func notifyStreams(_ delta: ListDelta, newIdentifiers: [NSManagedObjectID: NSManagedObjectID] = [:]) {
        guard observers.hasStreams else { return }
        let snapshot = snapshot(after: delta)
        observers.snapshots.yield(snapshot)
        observers.changes.yield(FetchedResultsChanges(delta, newIdentifiers: newIdentifiers, snapshot: snapshot))
    }

    /// Notifies a delegate that implements a method for complete lists; returns false if it must get single changes.
    private func notifyWhole(
        _ delta: ListDelta, _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) -> Bool {
        if let delegate = observers.delegate(for: .snapshot) {
            delegate.controller(controller, didChangeContentWith: snapshot(after: delta))
            if observers.delegate(for: .snapshot) != nil { return true }
        }
        if !hasSections, let delegate = observers.delegate(for: .difference) {
            delegate.controller(controller, didChangeContentWith: delta.difference)
            if observers.delegate(for: .difference) != nil { return true }
        }
        return observers.delegate == nil
    }

    /// A snapshot of the current list, with the items that the step updated without moving.
    func snapshot(after delta: ListDelta) -> FetchedResultsSnapshot {
        FetchedResultsSnapshot(
            state, hasSections: hasSections, reloaded: delta.rows.filter { $0.kind == .update }.map(\.objectID))
    }

    /// Calls `controllerWillChangeContent(_:)`; during the call, the controller returns the former list.
    private func notifyBeginning(
        _ delta: ListDelta, before: ListState, controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
        guard let delegate = observers.delegate(for: .willChange) else { return }
        former = before
        for row in delta.rows { formerObjects[RowKey(row.address)] = row.object }
        delegate.controllerWillChangeContent(controller)
        former = nil
        formerObjects = [:]
    }

    private func notifySections(
        _ delta: ListDelta, _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
        for section in delta.deletedSections {
            // As in Apple's framework, a deleted section has its name, but no objects.
            let info = ResultsSection(
                name: section.name, indexTitle: controller.sectionIndexTitle(forSectionName: section.name), count: 0
            ) { [] }
            observers.delegate(for: .section)?.controller(
                controller, didChange: info, atSectionIndex: section.number, for: .delete)
        }
        let after = state
        for section in delta.insertedSections {
            let info = info(of: after, section.number, controller)
            observers.delegate(for: .section)?.controller(
                controller, didChange: info, atSectionIndex: section.number, for: .insert)
        }
    }

    private func notifyRows(_ delta: ListDelta, _ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        for row in delta.rows {
            guard let delegate = observers.delegate(for: .object) else { return }
            let object = row.object ?? context.object(at: context.localAddress(row.address))
            delegate.controller(
                controller, didChange: object, at: row.old?.path, for: row.kind,
                newIndexPath: row.kind == .update ? nil : row.new?.path)
        }
    }

    private func info(
        of state: ListState, _ number: Int, _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) -> ResultsSection {
        let section = state.section(number)
        return ResultsSection(
            name: section.name, indexTitle: controller.sectionIndexTitle(forSectionName: section.name),
            count: section.range.count
        ) { [context] in section.range.map { context.object(at: context.localAddress(state.address(at: $0))) } }
    }
}

extension ListDelta {
    /// The step as removals and insertions of identifiers, associated with each other for moves; without updates.
    var difference: CollectionDifference<NSManagedObjectID> {
        var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
        for row in rows where row.kind != .update {
            let isMove = row.kind == .move
            if let old = row.old?.index {
                changes.append(
                    .remove(offset: old, element: row.objectID, associatedWith: isMove ? row.new?.index : nil))
            }
            if let new = row.new?.index {
                changes.append(
                    .insert(offset: new, element: row.objectID, associatedWith: isMove ? row.old?.index : nil))
            }
        }
        // The offsets of removals differ, so do those of insertions, and the two changes of a move name each other's
        // offset.
        return CollectionDifference(changes).unsafelyUnwrapped
    }
}

extension ListDelta.Row {
    var objectID: NSManagedObjectID { object?.objectID ?? address.objectID }
}
