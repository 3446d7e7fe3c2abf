import CoreData
import Synchronization

/// The streams of events of all stores; each store with listeners has one `StoreWatch`.
package final class LiveEvents: Sendable {
    private struct WeakWatch { weak var watch: StoreWatch? }

    private let watches: Mutex<[String: WeakWatch]> = Mutex([:])

    /// Sends an event to the tabs that show a store: `{"kind": "edited", "tab"}`.
    package func send(_ event: JSONValue, about store: String) {
        let watch = watches.withLock { $0[store]?.watch }
        watch?.send(Self.line(event))
    }

    /// Sends an event to those tabs that show a store to people from whom nothing of it is hidden.
    func sendToReadersOfAll(_ event: JSONValue, about store: String) {
        let watch = watches.withLock { $0[store]?.watch }
        watch?.sendToReadersOfAll(Self.line(event))
    }

    /// Notifies the tabs that show a store that its file was opened again.
    package func reopened(_ store: BrowsedStore) { watches.withLock { $0[store.id]?.watch }?.reopened() }

    /// A body that continues until its reader disconnects.
    ///
    /// A reader whose `known` state is outdated first gets an event that something has changed. Changes of hidden parts
    /// are not reported.
    func stream(
        of store: BrowsedStore, since known: String? = nil, without hidden: HiddenParts? = nil
    ) -> BrowserBody {
        let watch = watches.withLock { watches in
            if let watch = watches[store.id]?.watch { return watch }
            let watch = StoreWatch(store)
            watches[store.id] = WeakWatch(watch: watch)
            return watch
        }
        let queue = EventQueue(without: hidden)
        let stream = EventStream(watch, queue)
        // This comes after the stream has been added to the watch, so that no change between the two is lost.
        if let problem = watch.look() { queue.add(problem) }
        if let known, known != store.opened.version.text { queue.add(SavedEvent.many) }
        return BrowserBody { await stream.next() }
    }

    /// An event as a line of `text/event-stream`.
    static func line(_ event: JSONValue) -> String { "data: \(JSONWriter.line(event))\n\n" }
}

/// One reader of a store's events; releasing it removes it from the watch.
private final class EventStream: Sendable {
    private let watch: StoreWatch
    private let queue: EventQueue
    private let number: Int

    init(_ watch: StoreWatch, _ queue: EventQueue) {
        self.watch = watch
        self.queue = queue
        number = watch.add(queue)
        // The first bytes show the reader that it receives all later events.
        queue.add(":\n\n")
    }

    deinit { watch.remove(number) }

    func next() async -> [UInt8]? { await queue.next().map { Array($0.utf8) } }
}
