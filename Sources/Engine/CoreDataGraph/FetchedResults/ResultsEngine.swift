import CoreDataStore

/// The list of a fetched results controller, for any type of results: fetches it once, then updates it with changes.
///
/// Used on the context's queue.
///
/// Invariants:
/// 1. `list` is nil until the first fetch; afterwards it is the result of `request`, unless nothing observes the
///    changes.
/// 2. While `former` is set, callers get the list from before the changes of which the delegate is being notified.
final class ResultsEngine: LiveResultsObserver {
    let context: NSManagedObjectContext
    /// The controller with the type that delegate methods have; it owns the engine.
    weak var controller: NSFetchedResultsController<NSFetchRequestResult>?
    /// The request and the sections of the list; nil until the first fetch.
    private(set) var source: ResultsSource?
    private(set) var list: ResultsList?
    var former: ListState?
    /// Objects of the former list that may have left the context.
    var formerObjects: [RowKey: NSManagedObject] = [:]
    var order: ResultsOrder
    /// The delegate and the streams.
    let observers = ResultsObservers()
    /// Whether the list lacks changes, because there were no observers or because updating it failed.
    var isBehind = false
    /// Whether the context was reset since the list was fetched, so that the records now have other objects.
    var hasLostObjects = false
    /// Records that changed when the list could not be updated; the next step reports them.
    var unreported: Set<RowKey> = []
    /// The objects that were returned to callers.
    private var held: [ObjectIdentifier: NSManagedObject] = [:]
    private var renamed: [(NSManagedObjectID, NSManagedObjectID)] = []
    private var knownState: ListState?
    private var knownObjects: [NSManagedObject]?

    init(_ context: NSManagedObjectContext) {
        self.context = context
        order = ResultsOrder(UntypedFetchRequest(), in: context)
    }

    /// The list that callers get: the current one, or the former one while `former` is set.
    var state: ListState {
        if let former { return former }
        if let knownState { return knownState }
        let state = list?.state ?? ListState()
        knownState = state
        return state
    }

    var hasSections: Bool { source?.naming != nil }

    private var request: UntypedFetchRequest { source?.request ?? UntypedFetchRequest() }

    // MARK: Fetching

    /// Fetches the list again, and follows changes from now on.
    ///
    /// - Throws: `NSCoreDataError` if records of one section do not follow each other;
    ///   `NSPersistentStoreUnsupportedRequestTypeError` for a result type other than objects and identifiers; what a
    ///   fetch throws. The former list then remains.
    func fetch(_ request: UntypedFetchRequest, _ naming: SectionNaming?, cacheName: String?) throws {
        let source = try ResultsSource(request, naming, cacheName: cacheName, in: context)
        adopt(try source.list())
        self.source = source
        order = ResultsOrder(request, in: context)
        isBehind = false
        hasLostObjects = false
        unreported = []
        renamed = []
        releaseAll()
        context.liveResults.add(self)
    }

    func adopt(_ list: ResultsList) {
        self.list = list
        noteChange()
    }

    /// Drops what was computed of the list, after it has changed.
    func noteChange() {
        knownState = nil
        knownObjects = nil
    }

    /// Replaces the identifier of a record with a new one.
    func rename(_ place: RowKey, to address: RowAddress) {
        guard let list, list.contains(place) else { return }
        order.forget(place)
        if unreported.remove(place) != nil { unreported.insert(RowKey(address)) }
        let index = list.index(of: place)
        let former = index.map { list.address(at: $0).objectID }
        list.rename(place, to: address)
        noteChange()
        if let former, observers.isThere { renamed.append((former, address.objectID)) }
    }

    /// Returns the identifiers that changed since the last call, former and present ones.
    func takeRenamed() -> [(NSManagedObjectID, NSManagedObjectID)] {
        defer { renamed = [] }
        return renamed
    }

    // MARK: Objects

    /// The object at an index; if it must be read, the rows of its batch are read together.
    func object(at index: Int) -> NSManagedObject {
        let address = context.localAddress(state.address(at: index))
        if let object = formerObjects[RowKey(address)] { return object }
        if let object = context.registry.object(table: address.binding.table, key: address.key),
            !object.isFault || object.slab != nil
        {
            hold(object)
            return object
        }
        let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : Self.rowsAtOnce
        let start = index - index % size
        return objects(start..<min(start + size, state.count))[index - start]
    }

    /// The number of rows read together if the request has no batch size.
    static let rowsAtOnce = 20

    /// The objects at some indices; rows that are missing are read together.
    func objects(_ range: Range<Int>) -> [NSManagedObject] {
        let state = state
        let found = FoundList(list: AddressList(range.map(state.address)))
        let objects = BatchReader(context: context, request: request, prefetch: source?.prefetch)
            .objects(found, 0..<range.count)
        objects.forEach(hold)
        return objects
    }

    /// The objects at some indices, with faults for those not read yet; when one fires, the rows of its batch are read
    /// together.
    func faults(_ range: Range<Int>, of state: ListState) -> [NSManagedObject] {
        let addresses = range.map { context.localAddress(state.address(at: $0)) }
        let objects = addresses.map { formerObjects[RowKey($0)] ?? context.object(at: $0) }
        let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : FaultBatches.rowsAtOnce
        context.faultBatches.note(AddressList(addresses), size: size, prefetch: source?.prefetch)
        objects.forEach(hold)
        return objects
    }

    /// All objects, with faults for those not read yet.
    var allObjects: [NSManagedObject] {
        if former != nil { return faults(0..<state.count, of: state) }
        if let knownObjects { return knownObjects }
        let objects = faults(0..<state.count, of: state)
        knownObjects = objects
        return objects
    }

    /// The index of a record; nil for one that is not in the list.
    func index(of place: RowKey) -> Int? {
        former.map { $0.index(of: place) } ?? list?.index(of: place)
    }

    private func hold(_ object: NSManagedObject) { held[ObjectIdentifier(object)] = object }

    /// Releases all objects, for a new list or after a reset.
    func releaseAll() {
        held = [:]
        knownObjects = nil
    }

    /// Releases an object that has left the list.
    func release(_ object: NSManagedObject) { held[ObjectIdentifier(object)] = nil }

    /// Releases the returned objects for which `isNeeded` is false, and turns the unchanged ones of them into faults.
    func purge(except isNeeded: (NSManagedObject) -> Bool) {
        knownObjects = nil
        for object in held.values where !isNeeded(object) {
            held[ObjectIdentifier(object)] = nil
            if !object.hasChanges, object.registry === context.registry { object.turnIntoFault() }
        }
    }
}
