import CoreDataStore

/// Updating a list with the changes of its context.
extension ResultsEngine {
    /// Updates the list for changes in the context, and notifies its observers.
    func take(_ changes: LiveChanges) {
        guard let list, let source else { return }
        if changes.replacesObjects { return loseObjects() }
        guard observers.isThere else {
            isBehind = true
            return
        }
        // A delegate may release the controller, and so the engine.
        let controller = controller
        defer { withExtendedLifetime(controller) {} }
        announceNewIdentifiers()
        do {
            let touched = try touched(by: changes, list, source)
            if isBehind || changes.concernsAll || needsFetch(source, touched: touched, changes: changes) {
                try fetchAgain(source, touched)
            } else if !touched.isEmpty {
                try update(source, touched: touched, list: list)
            }
        } catch {
            context.report(error, for: nil)
            isBehind = true
            let objects = changes.objects.map { RowKey($0) }
            let records = changes.records.map { RowKey(context.localAddress($0)) }
            unreported.formUnion((objects + records).filter(list.contains))
        }
    }

    /// Releases the objects after a reset of the context. As in Apple's framework, the delegate is not notified, and
    /// the list stays as it is until it is fetched again.
    ///
    /// If the program does not fetch it, the next change does and reports the difference.
    private func loseObjects() {
        releaseAll()
        isBehind = true
        hasLostObjects = true
    }

    /// Whether the list must be fetched again, since the changes do not determine the new list.
    private func needsFetch(
        _ source: ResultsSource, touched: [TouchedRecords.Record], changes: LiveChanges
    ) -> Bool {
        if source.followed.dependsOnAll { return true }
        return source.hasWindow && (!touched.isEmpty || changes.isSave && !source.followed.ends.isEmpty)
    }

    private func touched(
        by changes: LiveChanges, _ list: ResultsList, _ source: ResultsSource
    ) throws -> [TouchedRecords.Record] {
        var touched = TouchedRecords(context)
        for object in changes.objects where source.isWanted(object) || list.contains(RowKey(object)) {
            touched.add(object, .changed)
        }
        for address in changes.records.lazy.map(context.localAddress) where source.isWanted(address) {
            touched.add(context.object(at: address), .changed)
        }
        // In a list with an offset, the records before its first one determine where it begins.
        for address in changes.goneRecords.lazy.map(context.localAddress)
        where list.contains(RowKey(address)) || source.hasWindow && source.isWanted(address) {
            touched.add(context.object(at: address), .gone)
        }
        for object in try source.related(to: changes.objects, changes.records) { touched.add(object, .related) }
        return touched.all
    }

    // MARK: New lists

    private func update(
        _ source: ResultsSource, touched: [TouchedRecords.Record], list: ResultsList
    ) throws {
        let before = state
        let candidates = try touched.map { record in
            record.reason == .gone
                ? .init(object: record.object, isChanged: true, place: nil)
                : try source.candidate(record.object, isChanged: record.reason == .changed, &order)
        }
        noteChange()
        let step: (delta: ListDelta, strays: [NSManagedObject])
        do {
            step = try ListUpdate.run(candidates, on: list, hasSections: hasSections, order: &order)
        } catch {
            adopt(ResultsList(before))
            throw error
        }
        for stray in step.strays { context.report(CoreDataError.strayInSections(stray.objectID), for: stray) }
        announce(step.delta, before: before)
    }

    private func fetchAgain(_ source: ResultsSource, _ touched: [TouchedRecords.Record]) throws {
        let before = state
        let list = try source.list()
        order = ResultsOrder(source.request, in: context)
        isBehind = false
        let known = Dictionary(
            touched.map { (RowKey($0.object), $0) }, uniquingKeysWith: { first, _ in first })
        adopt(list)
        let (missed, replacesObjects) = (unreported, hasLostObjects)
        unreported = []
        hasLostObjects = false
        let comparison = ListComparison(before, state, hasSections: hasSections)
        announce(
            comparison.delta { place in
                let known = known[place]
                let isChanged = known.map { $0.reason == .changed } ?? replacesObjects
                return (known?.object, isChanged || missed.contains(place))
            }, before: before)
    }
}

extension CoreDataError {
    /// The error for an object that the sort order places within another section.
    fileprivate static func strayInSections(_ objectID: NSManagedObjectID) -> NSError {
        make(
            NSCoreDataError,
            "\(objectID) has an out of order section name. Objects must be sorted by section name.",
            hint: "Let the first sort descriptor agree with the section key path, or set sortsBySectionsFirst.")
    }
}
