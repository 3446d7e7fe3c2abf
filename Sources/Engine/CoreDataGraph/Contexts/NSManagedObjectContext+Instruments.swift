import CSwiftRuntime
import CoreDataStore
import Synchronization

/// Records events for instruments; `since` is the result of `coredata_instruments_start`, 0 when nothing is recorded.
extension NSManagedObjectContext {
    /// An event with the context's name, number and queue.
    func instrumentEvent(_ kind: InstrumentEvent.Kind, since start: UInt64) -> InstrumentEvent {
        var event = InstrumentEvent(kind, since: start)
        event.context = instrumentNumber
        event.contextName = name ?? ""
        event.queue = concurrencyType == .mainQueueConcurrencyType ? "main" : queue.label
        event.registered = registry.objectCount
        event.model = persistentStoreCoordinator?.managedObjectModel
        return event
    }

    /// Records a fault that fired and whose row was read from the store.
    func recordFault(_ object: NSManagedObject, since start: UInt64) {
        var event = instrumentEvent(.fault, since: start)
        event.entity = object.entity.name ?? ""
        event.store = object.binding.store?.instrumentName ?? ""
        event.rows = 1
        if object.slab != nil { event.flags = .readAhead }
        InstrumentRecorder.record(event)
    }

    /// Records the reading of a relationship, of one object or of many together.
    func recordMembers(
        _ kind: InstrumentEvent.Kind, _ relationship: NSRelationshipDescription, of owner: NSManagedObject?, rows: Int,
        since start: UInt64
    ) {
        var event = instrumentEvent(kind, since: start)
        event.entity = relationship.entity?.name ?? owner?.entity.name ?? ""
        event.store = owner?.binding.store?.instrumentName ?? ""
        event.detail = relationship.name
        event.rows = rows
        InstrumentRecorder.record(event)
    }

    private var instrumentNumber: UInt32 {
        let known = queue.instrumentNumber.load(ordering: .relaxed)
        guard known == 0 else { return known }
        let number = InstrumentRecorder.numberForContext()
        let (_, former) = queue.instrumentNumber.compareExchange(
            expected: 0, desired: number, ordering: .relaxed)
        return former == 0 ? number : former
    }
}

extension NSPersistentStore {
    /// The name of the store in recordings: its file name.
    var instrumentName: String {
        access.recordedName.withLock { name in
            if let name { return name }
            let found = url?.lastPathComponent ?? ""
            name = found
            return found
        }
    }
}
