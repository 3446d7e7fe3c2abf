import CoreDataStore

/// The list of a fetched results controller, whatever the type of its objects: fetched once, then kept up to date.
///
/// Used on the context's queue.
///
/// Invariants:
/// 1. `list` is nil until the first fetch; afterwards it is the result of `request`, unless nothing observes the changes.
/// 2. While `former` is set, callers get the list as it was before the changes that are being announced.
final class ResultsEngine: LiveResultsObserver {
    let context: NSManagedObjectContext
    /// The controller as delegates know it; it owns the engine.
    weak var controller: NSFetchedResultsController<NSFetchRequestResult>?
    /// What the list is the result of; nil until the first fetch.
    private(set) var source: ResultsSource?
    private(set) var list: ResultsList?
    var former: ListState?
    /// Objects of the former list that the context may not have any more.
    var formerObjects: [RowKey: NSManagedObject] = [:]
    var order: ResultsOrder
    /// The observers, and the messages that they receive.
    let observers = ResultsObservers()
    /// Whether there were changes while nothing observed them.
    var isBehind = false
    /// Whether the context was reset since the list was fetched, so that its records have other objects by now.
    var hasLostObjects = false
    /// Records that changed when the list could not be fetched; they are reported with the next change.
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

    /// What is shown.
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
    /// - Throws: `NSCoreDataError` where records of one section do not follow each other; `NSPersistentStoreUnsupportedRequestTypeError`
    ///   for a result type other than objects and identifiers; what a fetch throws. The list stays then.
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

    /// The list is not any more as it was last shown.
    func noteChange() {
        knownState = nil
        knownObjects = nil
    }

    /// Notes that a record has a new identifier from now on.
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

    /// The identifiers that changed since this was last read: former and present ones.
    func takeRenamed() -> [(NSManagedObjectID, NSManagedObjectID)] {
        defer { renamed = [] }
        return renamed
    }

    // MARK: Objects

    /// The object at an index, read together with those around it.
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

    /// How many rows are read at once where the request does not say.
    static let rowsAtOnce = 20

    /// The objects of some records; missing rows are read together.
    func objects(_ range: Range<Int>) -> [NSManagedObject] {
        let state = state
        let found = FoundList(list: AddressList(range.map(state.address)))
        let objects = BatchReader(context: context, request: request, prefetch: source?.prefetch)
            .objects(found, 0..<range.count)
        objects.forEach(hold)
        return objects
    }

    /// The objects of some records as faults; the first that fires is read together with those around it.
    func faults(_ range: Range<Int>, of state: ListState) -> [NSManagedObject] {
        let addresses = range.map { context.localAddress(state.address(at: $0)) }
        let objects = addresses.map { formerObjects[RowKey($0)] ?? context.object(at: $0) }
        let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : FaultBatches.rowsAtOnce
        context.faultBatches.note(AddressList(addresses), size: size, prefetch: source?.prefetch)
        objects.forEach(hold)
        return objects
    }

    /// All objects, as faults where they have not been read yet.
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

    /// Releases all objects, which cannot be used any more.
    func releaseAll() {
        held = [:]
        knownObjects = nil
    }

    /// Releases an object that has left the list.
    func release(_ object: NSManagedObject) { held[ObjectIdentifier(object)] = nil }

    /// Turns unchanged objects that were returned into faults and releases them, unless a condition holds.
    func purge(except isNeeded: (NSManagedObject) -> Bool) {
        knownObjects = nil
        for object in held.values where !isNeeded(object) {
            held[ObjectIdentifier(object)] = nil
            if !object.hasChanges, object.registry === context.registry { object.turnIntoFault() }
        }
    }
}
