import CoreData
import Dispatch
import Synchronization

/// Notifies the streams of one store about saves, by this process or another.
///
/// | the store | what is reported |
/// |---|---|
/// | posts remote change notifications and has a history | each transaction with its objects |
/// | posts remote change notifications | that something was saved |
/// | does not post them, as a host's store may not | what contexts of this process save |
final class StoreWatch: Sendable {
    /// The number of new transactions above which a single event says that much has changed.
    private static let transactionLimit = 50
    /// The interval of checks of the file, and the number of checks after which idle streams get a comment that keeps
    /// them alive.
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
    /// Observers and dispatch sources are thread-safe, although their types are not `Sendable`.
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

    /// Adds a stream; returns a number for `remove`.
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

    /// Sends an event to the streams of those from whom nothing is hidden.
    func sendToReadersOfAll(_ line: String) {
        let queues = state.withLock { Array($0.queues.values) }
        for queue in queues where queue.hidden == nil { queue.add(line) }
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
            // A smaller number than before means that the file was replaced.
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

    /// Checks the file, and notifies all streams if its problem has changed; returns the event of a present problem.
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

    /// The event about the state of the file; its problem is null while the file is in place.
    private static func line(_ problem: FileProblem?, isReopened: Bool = false) -> String {
        LiveEvents.line(
            .object([
                ("kind", .string("file")), ("problem", .text(problem?.rawValue)), ("reopened", .bool(isReopened)),
            ]))
    }
}
