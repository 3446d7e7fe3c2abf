import CoreDataStore
import Synchronization

/// Informs a store which records contexts have objects of, once for each context.
///
/// Objects are created and released on any thread at any time; their notices wait until the store is not in use.
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

    /// - Parameter deliver: calls `takeNews` when the store may be notified, now or later.
    init(deliver: @escaping @Sendable () -> Void) { self.deliver = deliver }

    /// Notes that a context has an object of a record from now on.
    func noteComing(_ binding: EntityBinding, key: Int64) {
        state.withLock { state in
            let place = RowKey(table: binding.table, key: key)
            state.objects[place, default: Known(binding: binding)].count += 1
            state.news.append((true, binding, key))
        }
    }

    /// Notes that a context no longer has an object of a record.
    func noteGoing(table: Int, key: Int64) {
        state.withLock { state in
            let place = RowKey(table: table, key: key)
            guard var known = state.objects[place] else { return }
            known.count -= 1
            state.objects[place] = known.count > 0 ? known : nil
            state.news.append((false, known.binding, key))
        }
    }

    /// Whether some context has an object of a record.
    func isRegistered(table: Int, key: Int64) -> Bool {
        state.withLock { $0.objects[RowKey(table: table, key: key)] != nil }
    }

    /// Sees to it that the store is notified soon. Called without any lock.
    func tell() { deliver() }

    /// What happened since the last call, in order.
    func takeNews() -> [(isComing: Bool, binding: EntityBinding, key: Int64)] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }
}
