import CoreDataModeling

/// Telling a delegate what became of the list.
extension ResultsEngine {
    /// Tells of a step, after which the list is as it is now.
    func announce(_ delta: ListDelta, before: ListState) {
        guard !delta.isEmpty, let controller else { return }
        for row in delta.rows where row.kind == .delete { row.object.map(release) }
        guard !tellWhole(delta, controller) else { return }
        tellBeginning(delta, before, controller)
        tellSections(delta, before, controller)
        tellRows(delta, controller)
        audience.delegate(for: .didChange)?.controllerDidChangeContent(controller)
    }

    /// Tells a delegate that wants the list as a whole of the first fetch.
    func announceFetch() {
        guard let controller else { return }
        audience.delegate(for: .snapshot)?.controller(
            controller, didChangeContentWith: FetchedResultsSnapshot(state, hasSections: hasSections))
    }

    /// Tells a delegate that wants no single changes; false when there is none.
    private func tellWhole(
        _ delta: ListDelta, _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) -> Bool {
        if let delegate = audience.delegate(for: .snapshot) {
            delegate.controller(controller, didChangeContentWith: snapshot(after: delta))
            if audience.delegate(for: .snapshot) != nil { return true }
        }
        if !hasSections, let delegate = audience.delegate(for: .difference) {
            delegate.controller(controller, didChangeContentWith: delta.difference)
            if audience.delegate(for: .difference) != nil { return true }
        }
        return audience.delegate == nil
    }

    /// The list as it is now, with what of it changed in its place.
    func snapshot(after delta: ListDelta) -> FetchedResultsSnapshot {
        FetchedResultsSnapshot(
            state, hasSections: hasSections, reloaded: delta.rows.filter { $0.kind == .update }.map(\.objectID))
    }

    /// Whoever asks meanwhile is shown the list as it was.
    private func tellBeginning(
        _ delta: ListDelta, _ before: ListState, _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
        guard let delegate = audience.delegate(for: .willChange) else { return }
        former = before
        for row in delta.rows { formerObjects[RecordPlace(row.address)] = row.object }
        delegate.controllerWillChangeContent(controller)
        former = nil
        formerObjects = [:]
    }

    private func tellSections(
        _ delta: ListDelta, _ before: ListState, _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) {
        for section in delta.deletedSections {
            let info = info(of: before, section.number, controller)
            audience.delegate(for: .section)?.controller(
                controller, didChange: info, atSectionIndex: section.number, for: .delete)
        }
        let after = state
        for section in delta.insertedSections {
            let info = info(of: after, section.number, controller)
            audience.delegate(for: .section)?.controller(
                controller, didChange: info, atSectionIndex: section.number, for: .insert)
        }
    }

    private func tellRows(_ delta: ListDelta, _ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        for row in delta.rows {
            guard let delegate = audience.delegate(for: .object) else { return }
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
    /// The step as removals and insertions of identifiers, with which records moved; what stayed in place is not in it.
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
        // Offsets of removals and of insertions are all different, and moves name each other.
        return CollectionDifference(changes).unsafelyUnwrapped
    }
}

extension ListDelta.Row {
    var objectID: NSManagedObjectID { object?.objectID ?? address.objectID }
}
