import CoreDataFoundation
import LockKit

extension Notification.Name {
    /// A query begins to gather.
    public static let NSMetadataQueryDidStartGathering = Notification.Name(
        "NSMetadataQueryDidStartGatheringNotification")
    /// A query has gathered all.
    public static let NSMetadataQueryDidFinishGathering = Notification.Name(
        "NSMetadataQueryDidFinishGatheringNotification")
    /// The results of a query have changed; the user info has what was added, changed and removed.
    public static let NSMetadataQueryDidUpdate = Notification.Name("NSMetadataQueryDidUpdateNotification")
}

/// The key of the added items in the user info of an update.
public let NSMetadataQueryUpdateAddedItemsKey = "kMDQueryUpdateAddedItems"
/// The key of the changed items in the user info of an update.
public let NSMetadataQueryUpdateChangedItemsKey = "kMDQueryUpdateChangedItems"
/// The key of the removed items in the user info of an update.
public let NSMetadataQueryUpdateRemovedItemsKey = "kMDQueryUpdateRemovedItems"

/// Finds files by a predicate, and reports when they come, change and go.
///
/// As Apple's class of this name, for folders of this machine: `searchScopes` has their URLs. Hidden files are left
/// out, and folders with an extension are items. A file whose bytes are elsewhere (`.NAME.icloud`) is found by its
/// name. Notifications are posted on `operationQueue`.
///
/// Invariants:
/// 1. `results` changes only between notifications, on the queue of the query; not at all while updates are disabled.
open class NSMetadataQuery: NSObject, @unchecked Sendable {
    private struct State {
        var predicate: NSPredicate?
        var scopes: [URL] = []
        var descriptors: [NSSortDescriptor] = []
        var queue: OperationQueue?
        var interval: TimeInterval = 0.1
        var isStarted = false
        var isGathering = false
        var disabled = 0
        var isOverdue = false
        var results: [NSMetadataItem] = []
        var known: [String: NSMetadataItem] = [:]
        var watch: FolderWatch?
        var run = 0
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "Documents.NSMetadataQuery")
    private let own: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }()

    // MARK: What is asked

    /// Which files are meant, by the keys of ``NSMetadataItem``; nil for all.
    open var predicate: NSPredicate? {
        get { state.withLock { $0.predicate } }
        set { state.withLock { $0.predicate = newValue } }
    }
    /// The folders to look into, as `URL` or `String`.
    open var searchScopes: [Any] {
        get { state.withLock { $0.scopes } }
        set {
            let scopes = newValue.compactMap { ($0 as? URL) ?? ($0 as? String).map { URL(fileURLWithPath: $0) } }
            state.withLock { $0.scopes = scopes }
        }
    }
    /// The order of the results, by keys of items; by path without any.
    open var sortDescriptors: [NSSortDescriptor] {
        get { state.withLock { $0.descriptors } }
        set { state.withLock { $0.descriptors = newValue } }
    }
    /// Where notifications are posted; nil for a queue of the query's own.
    open var operationQueue: OperationQueue? {
        get { state.withLock { $0.queue } }
        set { state.withLock { $0.queue = newValue } }
    }
    /// Seconds for which changes are collected before they are reported.
    open var notificationBatchingInterval: TimeInterval {
        get { state.withLock { $0.interval } }
        set { state.withLock { $0.interval = newValue } }
    }

    // MARK: What is found

    /// The files that were found.
    open var results: [Any] { state.withLock { $0.results } }
    /// How many were found.
    open var resultCount: Int { state.withLock { $0.results.count } }
    /// One of them; stops for a number that there is not.
    open func result(at idx: Int) -> Any { state.withLock { $0.results[idx] } }
    /// The number of a result; `NSNotFound` if it is none.
    open func index(ofResult result: Any) -> Int {
        guard let item = result as? NSMetadataItem else { return NSNotFound }
        return state.withLock { $0.results.firstIndex { $0 === item } } ?? NSNotFound
    }
    /// Whether the query was started and not stopped.
    open var isStarted: Bool { state.withLock { $0.isStarted } }
    /// Whether the first look is under way.
    open var isGathering: Bool { state.withLock { $0.isGathering } }
    /// Whether the query was stopped, or never started.
    open var isStopped: Bool { !isStarted }

    // MARK: Running

    /// Begins to look, and to follow changes.
    ///
    /// - Returns: false if it has begun, or has no folder to look into.
    @discardableResult
    open func start() -> Bool {
        let run: Int? = state.withLock { state in
            guard !state.isStarted, !state.scopes.isEmpty else { return nil }
            (state.isStarted, state.isGathering, state.known, state.results) = (true, true, [:], [])
            state.run += 1
            return state.run
        }
        guard let run else { return false }
        post(.NSMetadataQueryDidStartGathering, run)
        queue.async { [self] in
            let scopes = state.withLock { $0.scopes }
            let watch = FolderWatch(scopes.map(\.path)) { [weak self] in self?.changed(run) }
            state.withLock { if $0.run == run { $0.watch = watch } }
            look(run)
        }
        return true
    }

    /// Ends; the results stay.
    open func stop() {
        let watch = state.withLock { state in
            defer { (state.isStarted, state.isGathering, state.watch) = (false, false, nil) }
            state.run += 1
            return state.watch
        }
        watch?.end()
    }

    /// Holds the results as they are, until as many calls of `enableUpdates`.
    open func disableUpdates() { state.withLock { $0.disabled += 1 } }

    /// Lets the results change again; what was found since they were held is reported then.
    open func enableUpdates() {
        let run: Int? = state.withLock { state in
            guard state.disabled > 0 else { return nil }
            state.disabled -= 1
            guard state.disabled == 0, state.isOverdue else { return nil }
            state.isOverdue = false
            return state.run
        }
        if let run { queue.async { [self] in look(run) } }
    }

    // MARK: On the queue

    private func changed(_ run: Int) {
        queue.asyncAfter(deadline: .now() + notificationBatchingInterval) { [weak self] in self?.look(run) }
    }

    private func look(_ run: Int) {
        let asked: (scopes: [URL], predicate: NSPredicate?, watch: FolderWatch?)? = state.withLock { state in
            guard state.run == run, state.isStarted else { return nil }
            guard state.disabled == 0 || state.isGathering else {
                state.isOverdue = true
                return nil
            }
            return (state.scopes, state.predicate, state.watch)
        }
        guard let asked else { return }
        var scan = MetadataScan(asked.scopes, asked.predicate)
        // What came to a folder before it was watched is seen by the second look.
        asked.watch?.watch(scan.folders)
        scan = MetadataScan(asked.scopes, asked.predicate)
        take(scan, run)
    }

    private func take(_ scan: MetadataScan, _ run: Int) {
        let (known, descriptors, isFirst) = state.withLock { ($0.known, $0.descriptors, $0.isGathering) }
        // An item that is as it was stays the same object.
        let items = scan.items.mapValues { item in
            known[item.path].flatMap { $0.stamp == item.stamp ? $0 : nil } ?? item
        }
        let added = items.values.filter { known[$0.path] == nil }
        let changed = items.values.filter { known[$0.path] != nil && known[$0.path] !== $0 }
        let removed = known.values.filter { items[$0.path] == nil }
        let results = Self.sorted(Array(items.values), descriptors)
        let isCurrent = state.withLock { state in
            guard state.run == run, state.isStarted else { return false }
            (state.known, state.results, state.isGathering) = (items, results, false)
            return true
        }
        guard isCurrent else { return }
        if isFirst { return post(.NSMetadataQueryDidFinishGathering, run) }
        guard !(added.isEmpty && changed.isEmpty && removed.isEmpty) else { return }
        post(
            .NSMetadataQueryDidUpdate, run,
            [
                NSMetadataQueryUpdateAddedItemsKey: Self.sorted(added, []),
                NSMetadataQueryUpdateChangedItemsKey: Self.sorted(changed, []),
                NSMetadataQueryUpdateRemovedItemsKey: Self.sorted(removed, []),
            ])
    }

    private static func sorted(_ items: [NSMetadataItem], _ descriptors: [NSSortDescriptor]) -> [NSMetadataItem] {
        items.sorted { one, other in
            for descriptor in descriptors {
                let order = descriptor.compare(one.dictionary, to: other.dictionary)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return one.path < other.path
        }
    }

    private func post(_ name: Notification.Name, _ run: Int, _ items: [String: [NSMetadataItem]] = [:]) {
        (operationQueue ?? own).addOperation { [weak self] in
            guard let self, state.withLock({ $0.run == run }) else { return }
            NotificationCenter.default.post(name: name, object: self, userInfo: items.isEmpty ? nil : items)
        }
    }
}
