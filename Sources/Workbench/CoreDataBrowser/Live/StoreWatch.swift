import CoreData
import Dispatch
import Synchronization

/// Notifies the streams of one store of its saves, by this process or another.
///
/// | the store | what is reported |
/// |---|---|
/// | reports remote changes and keeps a history | each transaction with its objects |
/// | reports remote changes | that something was saved |
/// | does not, as perhaps a host's | what contexts of this process save |
final class StoreWatch: Sendable {
    /// Transactions at one time beyond which tabs read again in any case.
    private static let transactionLimit = 50
    /// How often the file is looked for, and after how many looks streams get a sign of life.
    private static let (look, looksPerBeat) = (DispatchTimeInterval.seconds(1), 15)

    private struct State {
        var seen: Int64 = 0
        var last = 0
        var queues: [Int: EventQueue] = [:]
        /// The last reported problem of the file.
        var reported: FileProblem?
        var looks = 0
    }

    private let store: BrowsedStore
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "CoreDataBrowser.StoreWatch")
    /// Observers and sources may be used from any thread, which their types do not say.
    nonisolated(unsafe) private var observers: [any NSObjectProtocol] = []
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    init(_ store: BrowsedStore) {
        self.store = store
        timer = DispatchSource.makeTimerSource(queue: queue)
        let seen = Self.newest(store.opened) ?? 0
        state.withLock { $0.seen = seen }
        let center = NotificationCenter.default
        observers = [
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil) {
                [weak self] notice in
                guard let self, (notice.object as AnyObject?) === self.store.opened.coordinator else { return }
                queue.async { self.readHistory() }
            },
            center.addObserver(forName: .NSManagedObjectContextDidSaveObjectIDs, object: nil, queue: nil) {
                [weak self] notice in self?.contextSaved(notice)
            },
        ]
        timer.schedule(deadline: .now() + Self.look, repeating: Self.look)
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.resume()
    }

    deinit {
        timer.cancel()
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    /// Adds a stream; its number is for `remove`.
    func add(_ queue: EventQueue) -> Int {
        state.withLock { state in
            state.last += 1
            state.queues[state.last] = queue
            return state.last
        }
    }

    /// Removes a stream.
    func remove(_ number: Int) { state.withLock { _ = $0.queues.removeValue(forKey: number) } }

    /// Sends an event to all streams.
    func send(_ line: String) {
        let queues = state.withLock { Array($0.queues.values) }
        for queue in queues { queue.add(line) }
    }

    private func send(_ event: SavedEvent) {
        let queues = state.withLock { Array($0.queues.values) }
        for queue in queues { queue.add(event) }
    }

    // MARK: What is saved

    private func readHistory() {
        let opened = store.opened
        guard let history = opened.store.objects?.history, let newest = Self.newest(opened) else {
            return send(SavedEvent.many)
        }
        let seen = state.withLock { state in
            defer { state.seen = newest }
            return state.seen
        }
        guard newest > seen else {
            // Numbers that went back are those of another file.
            if newest < seen { send(SavedEvent.many) }
            return
        }
        guard newest - seen <= Self.transactionLimit else { return send(SavedEvent.many) }
        do {
            for event in try opened.store.serialized({ try Self.events(of: history, after: seen, through: newest) }) {
                send(event)
            }
        } catch {
            send(SavedEvent.many)
        }
    }

    private static func events(of history: any HistoryKeeping, after seen: Int64, through newest: Int64) throws
        -> [SavedEvent]
    {
        var events: [SavedEvent] = []
        try history.readHistory(HistoryQuery(after: .number(seen), through: newest)) { transaction in
            events.append(SavedEvent(transaction: transaction.number, author: transaction.author))
            return .changes
        } change: { change in
            guard let name = change.address?.objectID.shortText, !events.isEmpty else { return }
            events[events.count - 1].add(name, change.kind)
        }
        return events
    }

    private func contextSaved(_ notice: Notification) {
        let opened = store.opened
        guard !opened.store.postsRemoteChanges, let context = notice.object as? NSManagedObjectContext,
            context.persistentStoreCoordinator === opened.coordinator, context.parent == nil
        else { return }
        var event = SavedEvent(author: context.transactionAuthor)
        let keys: [(String, ChangeRecord.Kind)] = [
            (NSInsertedObjectIDsKey, .insert), (NSUpdatedObjectIDsKey, .update), (NSDeletedObjectIDsKey, .delete),
        ]
        for (key, kind) in keys {
            for case let id in notice.userInfo?[key] as? Set<NSManagedObjectID> ?? []
            where id.persistentStore === opened.store {
                event.add(id.shortText, kind)
            }
        }
        send(event)
    }

    private static func newest(_ opened: ServedStore) -> Int64? {
        try? opened.store.serialized { try opened.store.objects?.history?.historyExtent().newest }
    }

    // MARK: What becomes of the file

    private func tick() {
        look()
        let (queues, isBeat) = state.withLock { state in
            state.looks += 1
            return (Array(state.queues.values), state.looks.isMultiple(of: Self.looksPerBeat))
        }
        if isBeat { for queue in queues { queue.beat() } }
    }

    /// Checks the file, and notifies all streams of a new problem; returns the message for a missing file.
    @discardableResult
    func look() -> String? {
        let problem = store.opened.fileProblem
        let isNews = state.withLock { state in
            defer { state.reported = problem }
            return state.reported != problem
        }
        let line = Self.line(problem)
        if isNews { send(line) }
        return problem == nil ? nil : line
    }

    /// Reports that the file was opened again.
    func reopened() {
        let seen = Self.newest(store.opened) ?? 0
        state.withLock { state in
            state.seen = seen
            state.reported = nil
        }
        send(Self.line(nil, isReopened: true))
    }

    /// What happened to the file as it is streamed; null while it is there.
    private static func line(_ problem: FileProblem?, isReopened: Bool = false) -> String {
        LiveEvents.line(
            .object([
                ("kind", .string("file")), ("problem", .text(problem?.rawValue)), ("reopened", .bool(isReopened)),
            ]))
    }
}
