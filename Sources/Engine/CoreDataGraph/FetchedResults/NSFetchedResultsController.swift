import CoreDataStore

/// The sorted result of a fetch, in sections. Updates it with the changes in the context and notifies a delegate.
///
/// Used on the context's queue, like the objects. Keeps all identifiers, a few bytes each, and reads rows in batches of
/// the request's `fetchBatchSize`, or else of 20. Without a delegate or a stream, the list stays as it was fetched. The
/// time of an update depends on the change, and hardly on the length of the list; for a request with a limit or an
/// offset, each change fetches the keys again. Unsaved changes are included whatever `includesPendingChanges` is. After
/// `reset()` of the context, which the delegate is not notified of, `performFetch()` fetches the list again.
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
    /// The objects that programs associate with the controller.
    final package var associatedObjects: AssociatedObjects?

    let engine: ResultsEngine

    /// The request; changes to it take effect at the next `performFetch()`.
    open private(set) var fetchRequest: NSFetchRequest<ResultType>

    /// The context of the objects, whose changes update the list.
    open var managedObjectContext: NSManagedObjectContext { engine.context }

    /// The key path of the values that divide the list into sections; nil for a list without sections.
    open private(set) var sectionNameKeyPath: String?

    /// The name under which the list is cached between runs of the program; nil if it is not cached.
    ///
    /// `performFetch()` caches keys and sections in the user's caches directory, and uses the file if request, model
    /// and store are unchanged: any change of the store's file is noticed. Only a list of one SQLite store that is not
    /// read-only is cached, in a context without unsaved changes of the entity. `performFetch()` then also writes the
    /// write-ahead log into the store's file (a checkpoint).
    open private(set) var cacheName: String?

    /// Whether the first letters of the values, rather than the values, divide the list into sections; false by
    /// default.
    ///
    /// `sectionLocale` is used to ignore case and diacritics; the sort order must keep objects with the same letter
    /// together. Takes effect at the next `performFetch()`. Not in Apple's framework.
    open var sectionsAreFirstLetters = false

    /// The locale for folding first letters; nil, the default, for that of the process.
    open var sectionLocale: Locale?

    /// Whether objects are sorted by the section key path before the request's sort descriptors; false by default.
    ///
    /// Any sort descriptors then agree with the sections. Takes effect at the next `performFetch()`. Not in Apple's
    /// framework.
    open var sortsBySectionsFirst = false

    /// The object that is notified of changes; referenced weakly.
    ///
    /// Changes while there is no delegate are reported together, with the next change after a delegate was set.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { engine.observers.delegate }
        set { engine.observers.delegate = newValue }
    }

    /// Makes a controller, which has no list before `performFetch()`.
    ///
    /// The request must have sort descriptors, the first of which must keep the objects of a section together. An empty
    /// array sorts the objects in the order in which they were first saved.
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

    /// Fetches the list and follows changes from now on. Replaces a former list without notifying of single changes.
    ///
    /// Reads keys and, if the store can return them, sections, but no objects. A delegate that implements the method
    /// for snapshots gets the first one.
    /// - Throws: `NSCoreDataError` for a request whose sort descriptors are nil (Apple's initializer raises an
    ///   exception), and if the sort order does not keep the objects of a section together;
    ///   `NSPersistentStoreUnsupportedRequestTypeError` for results other than objects and identifiers; what
    ///   `fetch(_:)` throws. The former list then remains.
    open func performFetch() throws {
        engine.context.checkQueue("performFetch")
        try engine.fetch(try plainRequest(), naming, cacheName: cacheName)
        engine.announceFetch()
    }

    /// Deletes the cached list with a name; all cached lists of this program if the name is nil.
    ///
    /// A cached list that is out of date is not used, even without this.
    open class func deleteCache(withName name: String?) { ResultsCache.delete(name) }

    private var naming: SectionNaming? {
        sectionNameKeyPath.map {
            SectionNaming(keyPath: $0, letters: sectionsAreFirstLetters ? sectionLocale ?? .current : nil)
        }
    }

    /// A copy of the request for objects, pending changes included, with the sort descriptors of the list.
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
        // Stores may return objects with equal sort keys in any order; this sorts those by their primary keys.
        request.sortDescriptors?.append(NSSortDescriptor(key: "self", ascending: true))
        return request
    }

    // MARK: Objects

    /// All objects in their order, with faults for those not read yet; nil before the first fetch.
    ///
    /// Stops the program if an object's class is not `ResultType`.
    open var fetchedObjects: [ResultType]? {
        engine.context.checkQueue("fetchedObjects")
        guard engine.list != nil else { return nil }
        return results(engine.allObjects)
    }

    /// The object at a section and row; stops the program for an index path that is not in the list.
    open func object(at indexPath: IndexPath) -> ResultType {
        engine.context.checkQueue("object(at:)")
        guard let index = engine.state.index(at: indexPath, hasSections: engine.hasSections) else {
            stop("No object at index path \(Array(indexPath)) of a fetched results controller.")
        }
        return results([engine.object(at: index)])[0]
    }

    /// The index path of an object; nil for an object that is not in the list.
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

    /// The objects, or their identifiers, as the request's type of results.
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

    /// Turns unchanged objects that the controller returned into faults and releases them, except those at some index
    /// paths.
    ///
    /// For low memory. Later accesses read the objects again; objects that the program references stay valid.
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

    /// The current sections; a single one without a name if there is no key path, nil before the first fetch.
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

    /// The index title of a section: the delegate's, or else the name's first letter in upper case.
    ///
    /// A subclass may override it to return other titles, or nil for a section without a title.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        guard let delegate else { return SectionNaming.firstLetter(of: sectionName) }
        return delegate.controller(untyped, sectionIndexTitleForSectionName: sectionName)
    }

    /// The controller with the type that delegate methods have.
    private var untyped: NSFetchedResultsController<NSFetchRequestResult> {
        // The memory layout of a controller does not depend on the type of its results, each of which is one reference.
        unsafeBitCast(self, to: NSFetchedResultsController<NSFetchRequestResult>.self)
    }

    /// The index titles of the sections, each once.
    open var sectionIndexTitles: [String] {
        var seen: Set<String> = []
        return (sections ?? []).compactMap(\.indexTitle).filter { seen.insert($0).inserted }
    }

    /// The index of the first section with an index title; -1 if there is none.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        (sections ?? []).firstIndex { $0.indexTitle == title } ?? -1
    }
}
