import CoreData
import Synchronization

/// Collects what is done with stores while blocks run, of several tests at a time.
///
/// Invariants:
/// 1. The recorder is the process's span handler while there are listeners, and passes spans on to the handler that was
///    there before.
/// 2. The handler is changed while `changing` is locked.
final class ActivityRecorder: Sendable {
    static let shared = ActivityRecorder()

    private struct Listener {
        let stores: Set<String>
        var activity = StoreActivity()
    }

    private let listeners = Mutex<[Int: Listener]>([:])
    private let changing = Mutex<(last: Int, former: (@Sendable (CoreDataInstruments.Span) -> Void)?)>((0, nil))

    /// Begins to collect what is done with stores of these names; the result ends it.
    func begin(_ stores: Set<String>) -> Int {
        changing.withLock { state in
            state.last += 1
            let number = state.last
            let isFirst = listeners.withLock { listeners in
                defer { listeners[number] = Listener(stores: stores) }
                return listeners.isEmpty
            }
            if isFirst {
                let former = CoreDataInstruments.spanHandler
                state.former = former
                CoreDataInstruments.spanHandler = { [self] span in
                    receive(span)
                    former?(span)
                }
            }
            return number
        }
    }

    /// Ends collecting, and returns what was collected.
    func end(_ number: Int) -> StoreActivity {
        changing.withLock { state in
            let (activity, isLast) = listeners.withLock { listeners in
                (listeners.removeValue(forKey: number)?.activity ?? StoreActivity(), listeners.isEmpty)
            }
            if isLast {
                CoreDataInstruments.spanHandler = state.former
                state.former = nil
            }
            return activity
        }
    }

    private func receive(_ span: CoreDataInstruments.Span) {
        guard case .string(let store)? = span.attributes["db.namespace"] else { return }
        listeners.withLock { listeners in
            for number in listeners.keys where listeners[number]?.stores.contains(store) == true {
                listeners[number]?.activity.add(span)
            }
        }
    }
}
