import CoreDataModeling

/// Keeping a list up to date.
extension ResultsEngine {
    /// Takes over what happened in the context, and tells who wants to know what it made of the list.
    func take(_ changes: LiveChanges) {
        guard let list, let followed else { return }
        guard audience.isThere else {
            isBehind = true
            return
        }
        // A delegate may let go of the controller, and so of the engine.
        let controller = controller
        defer { withExtendedLifetime(controller) {} }
        let touched = touched(by: changes, list)
        let isVague = followed.dependsOnAll && !changes.isEmpty
        do {
            if changes.concernsAll || isBehind || isVague || hasWindow && !touched.isEmpty {
                try fetchAgain(touched)
            } else if !touched.isEmpty {
                try update(touched.map(candidate), list)
            }
        } catch {
            context.report(error, for: nil)
            isBehind = true
        }
    }

    private var hasWindow: Bool { request.fetchLimit > 0 || request.fetchOffset > 0 }

    /// An object that may have changed its place, and whether its own values changed.
    private typealias Touched = (object: NSManagedObject, isChanged: Bool)

    // MARK: What is touched

    private func touched(by changes: LiveChanges, _ list: ResultsList) -> [Touched] {
        var seen: Set<ObjectIdentifier> = []
        var touched: [Touched] = []
        for object in changes.objects where isWanted(object) || list.contains(RecordPlace(object)) {
            if seen.insert(ObjectIdentifier(object)).inserted { touched.append((object, true)) }
        }
        for address in changes.records.lazy.map(context.localAddress) where isWanted(address) {
            let object = context.object(at: address)
            if seen.insert(ObjectIdentifier(object)).inserted { touched.append((object, true)) }
        }
        for object in related(to: changes) where seen.insert(ObjectIdentifier(object)).inserted {
            touched.append((object, false))
        }
        return touched
    }

    /// The objects that are placed by some of those that changed.
    private func related(to changes: LiveChanges) -> [NSManagedObject] {
        guard let followed, !followed.ends.isEmpty else { return [] }
        var leading: [String: [NSManagedObjectID]] = [:]
        for object in changes.objects {
            for path in followed.paths(to: object.entity) { leading[path, default: []].append(object.objectID) }
        }
        for address in changes.records {
            for path in followed.paths(to: address.binding.layout.entity) {
                leading[path, default: []].append(address.objectID)
            }
        }
        do {
            return try leading.sorted { $0.key < $1.key }.flatMap { try objects(leading: $0.key, to: $0.value) }
        } catch {
            context.report(error, for: nil)
            isBehind = true
            return []
        }
    }

    /// The objects from which a path leads to some of others.
    private func objects(leading path: String, to others: [NSManagedObjectID]) throws -> [NSManagedObject] {
        let search = UntypedFetchRequest()
        search.entity = request.entity
        search.named = request.entityName
        search.affectedStores = request.affectedStores
        search.includesSubentities = request.includesSubentities
        search.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: path), rightExpression: NSExpression(forConstantValue: others),
            modifier: followed?.manyfold.contains(path) == true ? .any : .direct, type: .in)
        return try FetchExecution(search, in: context).foundObjects()
    }

    /// An object with its place in the list, if it belongs there.
    private func candidate(_ touched: Touched) throws -> ListUpdate.Candidate {
        order.forget(RecordPlace(touched.object))
        return .init(object: touched.object, isChanged: touched.isChanged, place: try place(of: touched.object))
    }

    private func place(of object: NSManagedObject) throws -> (keys: [SortKey], section: String)? {
        guard isPresent(object), isWanted(object), try condition?.holds(for: object) ?? true else { return nil }
        let keys = try order.keys(of: object)
        let section = try naming?.name(of: object) ?? ""
        // Reading may have shown that the record is gone.
        return isPresent(object) ? (keys, section) : nil
    }

    private func isPresent(_ object: NSManagedObject) -> Bool {
        guard object.registry === context.registry else { return false }
        object.fireFaultIfNeeded()
        return !object.isDeleted && !object.flags.contains(.inaccessible)
    }

    // MARK: New lists

    private func update(_ candidates: [ListUpdate.Candidate], _ list: ResultsList) throws {
        let before = state
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

    private func fetchAgain(_ touched: [Touched]) throws {
        let before = state
        let list = try fetchedAgain()
        isBehind = false
        let known = Dictionary(
            touched.map { (RecordPlace($0.object), $0) }, uniquingKeysWith: { first, _ in first })
        adopt(list)
        let comparison = ListComparison(before, state, hasSections: hasSections)
        announce(
            comparison.delta { place in
                known[place].map { ($0.object, $0.isChanged) }
            }, before: before)
    }
}

extension CoreDataError {
    /// An object whose place in the order lies within a section that is not its own.
    fileprivate static func strayInSections(_ objectID: NSManagedObjectID) -> NSError {
        make(
            NSCoreDataError,
            "\(objectID) has an out of order section name. Objects must be sorted by section name.",
            hint: "Let the first sort descriptor agree with the section key path, or set sortsBySectionsFirst.")
    }
}
