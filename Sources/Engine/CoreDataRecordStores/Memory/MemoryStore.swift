import CoreDataStore

/// A store that keeps its records in memory until its coordinator removes it.
///
/// Its URL is only a name: nothing is read or written there, and two stores with the same URL are independent.
package final class MemoryStore: RecordAnswering {
    package let questions: RecordQuestions
    package let sharedReaders: RecordReaders
    package let isReadOnly: Bool
    private let records: MemoryHistory?
    private var side = MemorySideTable()

    private init(_ request: OpeningRequest) {
        let setting = RecordSetting(request)
        questions = RecordQuestions(setting, of: setting.makeTables())
        sharedReaders = RecordReaders(questions)
        isReadOnly = request.options[NSReadOnlyPersistentStoreOption] as? Bool ?? false
        let isTracking = request.options[NSPersistentHistoryTrackingKey] as? Bool ?? false
        records = isTracking ? MemoryHistory(request.layouts) : nil
    }

    package var history: (any HistoryKeeping)? { records }

    package func save(_ plan: SavePlan) throws -> SaveOutcome {
        let outcome = sharedReaders.changing {
            tables.save(plan, recording: records?.properties) { records?.append($0, by: plan.source) }
        }
        if case .saved = outcome { publishMadeSlabs() }
        return outcome
    }
}

extension MemoryStore: SideTableKeeping {
    package var sideTable: (any SideTableKeeping)? { self }

    package func sideValue(for key: [UInt8]) -> [UInt8]? { side[key] }

    package func sideEntries(withPrefix prefix: [UInt8]) -> [SideEntry] { side.entries(withPrefix: prefix) }

    package func sideEntries(withPrefix prefix: [UInt8], after key: [UInt8]?, atMost count: Int) -> [SideEntry] {
        side.entries(withPrefix: prefix, after: key, atMost: count)
    }

    package func writeSideEntries(_ entries: [SideEntry]) { side.write(entries) }

    package func excludeOtherSaves() {}

    package func placeMark() -> [UInt8] { [] }
}

extension MemoryStore: StoreBackend {
    package static var storeType: String { NSInMemoryStoreType }

    package static func capabilities(at url: URL?) -> StoreCapabilities {
        [.exactDecimals, .exactReals, .derivedAttributes, .uniqueValues]
    }

    /// Makes an empty store.
    package static func open(_ request: OpeningRequest) throws -> OpenedStore<MemoryStore> {
        OpenedStore(
            backend: MemoryStore(request), metadata: RecordMetadata.make(type: storeType, for: request),
            identifier: request.delegate.identifier)
    }

    package func relocate(to url: URL) -> Bool { true }

    package var problems: [String] { [] }

    package func close() {}

    package static func unusable(_ url: URL, _ reason: String, hint: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOpenError, "The store '\(url.path)' cannot be used: \(reason).", reason: reason, hint: hint
        )
    }

    // MARK: Stores that are not open, which cannot exist in memory

    package static func metadata(at url: URL) throws -> [String: Any] { throw notThere("have their metadata read") }

    package static func setMetadata(_ metadata: [String: Any], at url: URL) throws {
        throw notThere("be given metadata")
    }

    package static func destroyStore(at url: URL, options: [AnyHashable: Any]) throws {}

    package static func replaceStore(
        at destination: URL, options: [AnyHashable: Any], withStoreAt source: URL,
        options sourceOptions: [AnyHashable: Any]
    ) throws {
        throw notThere("replace others")
    }

    package static func publishStore(at temporary: URL, as url: URL) throws { throw notThere("be put in a place") }

    package static func copyStore(at source: URL, to destination: URL) throws { throw notThere("be copied") }

    package static func discardStore(at url: URL) {}

    private static func notThere(_ action: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreInvalidTypeError, "Stores in memory that are not open cannot \(action): there are none.",
            hint: "Add the store to a coordinator.")
    }
}
