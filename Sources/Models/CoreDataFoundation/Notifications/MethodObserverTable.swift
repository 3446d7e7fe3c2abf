import Synchronization

/// The tokens of observers whose methods notification centers call.
final class MethodObserverTable: Sendable {
    static let shared = MethodObserverTable()

    /// One call of `addObserver(_:calling:name:object:)`. Sendable because the centers synchronize the use of tokens.
    struct Entry: @unchecked Sendable {
        weak var observer: AnyObject?
        weak var center: NotificationCenter?
        let name: Notification.Name?
        let object: ObjectIdentifier?
        let token: any NSObjectProtocol
    }

    /// The entries by the addresses of their observers, and the number of entries at which the next sweep takes place.
    fileprivate struct State {
        var entries: [ObjectIdentifier: [Entry]] = [:]
        var count = 0
        var sweepCount = 64
    }

    private let state = Mutex(State())

    /// Adds an entry. If the number of entries has doubled since the last sweep, removes those of deallocated
    /// observers.
    func add(_ entry: Entry) {
        guard let observer = entry.observer else { return }
        let dead = state.withLock { state -> [Entry] in
            state.entries[ObjectIdentifier(observer), default: []].append(entry)
            state.count += 1
            return state.count < state.sweepCount ? [] : state.sweep()
        }
        // Outside the lock: a center has one of its own.
        for entry in dead { entry.end() }
    }

    /// Removes the entries of an observer in a center and returns their tokens; a nil name or object matches any.
    func remove(
        _ observer: AnyObject, in center: NotificationCenter, name: Notification.Name?, object: ObjectIdentifier?
    ) -> [any NSObjectProtocol] {
        state.withLock { state in
            let all = state.entries[ObjectIdentifier(observer)] ?? []
            let going = all.filter { entry in
                entry.observer === observer && entry.center === center && (name == nil || entry.name == name)
                    && (object == nil || entry.object == object)
            }
            let tokens = going.map(\.token)
            let left = all.filter { entry in !tokens.contains { $0 === entry.token } }
            state.entries[ObjectIdentifier(observer)] = left.isEmpty ? nil : left
            state.count -= tokens.count
            return tokens
        }
    }
}

extension MethodObserverTable.Entry {
    fileprivate func end() { center?.removeObserver(token as Any, name: nil, object: nil) }
}

extension MethodObserverTable.State {
    /// Removes and returns the entries whose observers have been deallocated.
    fileprivate mutating func sweep() -> [MethodObserverTable.Entry] {
        let dead = entries.values.joined().filter { $0.observer == nil }
        entries = entries.mapValues { $0.filter { $0.observer != nil } }.filter { !$0.value.isEmpty }
        count -= dead.count
        sweepCount = max(64, 2 * count)
        return dead
    }
}
