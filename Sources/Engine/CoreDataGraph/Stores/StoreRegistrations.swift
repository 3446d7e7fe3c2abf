import CoreDataStore
import Synchronization

/// Informs a store for which records contexts have objects, once for each context.
///
/// Objects can be created and deallocated on any thread at any time; the store is notified when it is not in use.
final class StoreRegistrations: Sendable {
    private struct Known {
        let binding: EntityBinding
        var count = 0
    }

    private struct State {
        var objects: [RowKey: Known] = [:]
        var news: [(isComing: Bool, binding: EntityBinding, key: Int64)] = []
    }

    private let state = Mutex(State())
    private let deliver: @Sendable () -> Void

    /// - Parameter deliver: notifies the store of what `takeNews` returns, now or when the store is no longer in use.
    init(deliver: @escaping @Sendable () -> Void) { self.deliver = deliver }

    /// Records that a context now has an object for a record.
    func noteComing(_ binding: EntityBinding, key: Int64) {
        state.withLock { state in
            let place = RowKey(table: binding.table, key: key)
            state.objects[place, default: Known(binding: binding)].count += 1
            state.news.append((true, binding, key))
        }
    }

    /// Records that a context no longer has an object for a record.
    func noteGoing(table: Int, key: Int64) {
        state.withLock { state in
            let place = RowKey(table: table, key: key)
            guard var known = state.objects[place] else { return }
            known.count -= 1
            state.objects[place] = known.count > 0 ? known : nil
            state.news.append((false, known.binding, key))
        }
    }

    /// Whether a context has an object for a record.
    func isRegistered(table: Int, key: Int64) -> Bool {
        state.withLock { $0.objects[RowKey(table: table, key: key)] != nil }
    }

    /// Requests that the store is notified soon. Must be called while the caller has no lock.
    func notifyStore() { deliver() }

    /// Returns the changes since the last call, in order.
    func takeNews() -> [(isComing: Bool, binding: EntityBinding, key: Int64)] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }
}
