import CoreDataStore

/// The sorted result of a fetch, in sections, that follows the changes in its context and notifies a delegate of them.
///
/// Used on the context's queue, like the objects. It knows all identifiers, a few bytes each, and reads rows a batch at a
/// time: as many as the request's `fetchBatchSize`, or 20. Without a delegate or a stream it stays as it was fetched.
/// What a change costs depends on the change, and hardly on the length of the list; a request with a limit or an offset
/// has its keys fetched again by each change. Unsaved changes are followed whatever `includesPendingChanges` says.
/// After `reset()` of the context, of which a delegate is not notified, `performFetch()` fetches the list again.
///
/// ```swift
/// let request = NSFetchRequest<Customer>(entityName: "Customer")
/// request.sortDescriptors = [NSSortDescriptor(key: "city", ascending: true), NSSortDescriptor(key: "name", ascending: true)]
/// let controller = NSFetchedResultsController(
///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "city", cacheName: nil)
/// try controller.performFetch()
/// for section in controller.sections ?? [] { print(section.name, section.numberOfObjects) }
/// ```
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject, AssociationHolder {
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    let engine: ResultsEngine

    /// The request; what is changed in it counts from the next `performFetch()` on.
    open private(set) var fetchRequest: NSFetchRequest<ResultType>

    /// The context whose objects are shown, and whose changes are followed.
    open var managedObjectContext: NSManagedObjectContext { engine.context }

    /// The key path whose values make the sections; nil for none.
    open private(set) var sectionNameKeyPath: String?

    /// The name under which the list is kept between runs of the program; nil for none.
    ///
    /// Keys and sections are kept in the user's caches directory, and taken from there when request, model and store are the
    /// same: any change of the store's file is noticed. Only for one SQLite store that is written to, and a
    /// context without unsaved changes of the entity; of other lists nothing is kept. Putting what is committed into the
    /// file (a checkpoint) is part of `performFetch()` then.
    open private(set) var cacheName: String?

    /// Whether sections are the first letters of the values rather than the values; false at first.
    ///
    /// Letters are compared without case and marks, by `sectionLocale`; the sort order must have them together. Counts from
    /// the next `performFetch()` on. Not in Apple's framework.
    open var sectionsAreFirstLetters = false

    /// The locale by which first letters are folded; the process's own where it is nil, as at first.
    open var sectionLocale: Locale?

    /// Whether objects are sorted by the section key path before they are sorted as the request says; false at first.
    ///
    /// Then any sort order agrees with the sections. Counts from the next `performFetch()` on. Not in Apple's framework.
    open var sortsBySectionsFirst = false

    /// The object that is notified of changes; referenced weakly.
    ///
    /// Changes without a delegate are reported together, as one change, at the next change.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { engine.observers.delegate }
        set { engine.observers.delegate = newValue }
    }

    /// Makes a controller, which has no list before `performFetch()`.
    ///
    /// The request must have sort descriptors, the first of which must have objects of one section together. An empty
    /// array of them gives the order in which the objects were saved.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        self.fetchRequest = fetchRequest
        self.sectionNameKeyPath = sectionNameKeyPath
        cacheName = name
        engine = ResultsEngine(context)
        super.init()
        engine.controller = untyped
    }

    /// Fetches the list, and follows changes from now on; a list that is there is replaced, without single messages.
    ///
    /// Reads keys and, where a store can say them, sections; no objects. A delegate with the method for snapshots is handed
    /// the first one.
    /// - Throws: `NSCoreDataError` for a request whose sort descriptors are nil (where Apple's initializer raises), and where the sort
    ///   order does not have the objects of a section together; `NSPersistentStoreUnsupportedRequestTypeError` for results other than
    ///   objects and identifiers; what `fetch(_:)` throws. The list stays as it was then.
    open func performFetch() throws {
        engine.context.checkQueue("performFetch")
        try engine.fetch(try plainRequest(), naming, cacheName: cacheName)
        engine.announceFetch()
    }

    /// Forgets the list that was kept under a name; all of this program's where the name is nil.
    ///
    /// A list that no longer fits is noticed without it.
    open class func deleteCache(withName name: String?) { ResultsCache.delete(name) }

    private var naming: SectionNaming? {
        sectionNameKeyPath.map {
            SectionNaming(keyPath: $0, letters: sectionsAreFirstLetters ? sectionLocale ?? .current : nil)
        }
    }

    /// A copy of the request as the list needs it.
    private func plainRequest() throws -> UntypedFetchRequest {
        let request = fetchRequest.untypedCopy()
        guard request.sortDescriptors != nil else {
            throw CoreDataError.make(
                NSCoreDataError,
                "An instance of NSFetchedResultsController requires a fetch request with sort descriptors.")
        }
        guard [.managedObjectResultType, .managedObjectIDResultType].contains(request.resultType) else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "A fetched results controller shows objects or their identifiers.")
        }
        request.resultType = .managedObjectResultType
        request.includesPendingChanges = true
        if sortsBySectionsFirst, let key = sectionNameKeyPath, request.sortDescriptors?.first?.sorting.key != key {
            request.sortDescriptors?.insert(NSSortDescriptor(key: key, ascending: true), at: 0)
        }
        // Stores may give equal objects in any order; the list has them in that of their keys.
        request.sortDescriptors?.append(NSSortDescriptor(key: "self", ascending: true))
        return request
    }

    // MARK: Objects

    /// All objects in their order, as faults where they have not been read yet; nil before the first fetch.
    ///
    /// Stops where an object's class is not `ResultType`.
    open var fetchedObjects: [ResultType]? {
        engine.context.checkQueue("fetchedObjects")
        guard engine.list != nil else { return nil }
        return results(engine.allObjects)
    }

    /// The object at a section and row; stops for an index path beyond the list.
    open func object(at indexPath: IndexPath) -> ResultType {
        engine.context.checkQueue("object(at:)")
        guard let index = engine.state.index(at: indexPath, hasSections: engine.hasSections) else {
            stop("No object at index path \(Array(indexPath)) of a fetched results controller.")
        }
        return results([engine.object(at: index)])[0]
    }

    /// Where an object is; nil for one that is not in the list.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        engine.context.checkQueue("indexPath(forObject:)")
        let known: NSManagedObject? =
            switch object as AnyObject {
            case let object as NSManagedObject: object
            case let identifier as NSManagedObjectID: engine.context.registeredObject(for: identifier)
            default: nil
            }
        let place =
            known.map { RowKey($0) }
            ?? (object as AnyObject as? NSManagedObjectID).map {
                RowKey(RowAddress(binding: $0.binding, key: $0.key))
            }
        return place.flatMap(engine.index).map(engine.state.path)
    }

    /// Objects, or their identifiers, as the requested type.
    private func results(_ objects: [NSManagedObject]) -> [ResultType] {
        do {
            guard fetchRequest.resultType == .managedObjectIDResultType else {
                return try engine.context.typed(objects)
            }
            return objects.compactMap { $0.objectID as? ResultType }
        } catch {
            stop(error.localizedDescription)
        }
    }

    /// Turns unchanged objects that were returned into faults and releases them, except those at some places.
    ///
    /// For low memory. Objects that are accessed later are read again; referenced objects stay valid.
    /// Not in Apple's framework.
    open func purgeObjects(exceptAt indexPaths: some Collection<IndexPath> = EmptyCollection()) {
        engine.context.checkQueue("purgeObjects")
        let state = engine.state
        let kept = Set(
            indexPaths.compactMap { state.index(at: $0, hasSections: engine.hasSections) }.map {
                RowKey(engine.context.localAddress(state.address(at: $0)))
            })
        engine.purge { kept.contains(RowKey($0)) }
    }

    // MARK: Sections

    /// The present sections; a single one without a name if there is no key path, nil before the first fetch.
    open var sections: [any NSFetchedResultsSectionInfo]? {
        engine.context.checkQueue("sections")
        guard engine.list != nil else { return nil }
        let state = engine.state
        guard engine.hasSections else { return [section("", 0..<state.count, title: nil)] }
        return state.sections.map { section($0.name, $0.range, title: sectionIndexTitle(forSectionName: $0.name)) }
    }

    private func section(_ name: String, _ range: Range<Int>, title: String?) -> ResultsSection {
        let state = engine.state
        return ResultsSection(name: name, indexTitle: title, count: range.count) { [self] in
            results(engine.faults(range, of: state))
        }
    }

    /// The title in the index of the list for a section: what the delegate says, or the name's first letter as a capital.
    ///
    /// To be overridden for other titles; nil leaves the section out.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        guard let delegate else { return SectionNaming.firstLetter(of: sectionName) }
        return delegate.controller(untyped, sectionIndexTitleForSectionName: sectionName)
    }

    /// The controller as delegates know it.
    private var untyped: NSFetchedResultsController<NSFetchRequestResult> {
        // A controller has the same shape whatever its results are, which are one reference each.
        unsafeBitCast(self, to: NSFetchedResultsController<NSFetchRequestResult>.self)
    }

    /// The titles in the index of the list, each once.
    open var sectionIndexTitles: [String] {
        var seen: Set<String> = []
        return (sections ?? []).compactMap(\.indexTitle).filter { seen.insert($0).inserted }
    }

    /// The first section with a title; -1 if no section has it.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        (sections ?? []).firstIndex { $0.indexTitle == title } ?? -1
    }
}
