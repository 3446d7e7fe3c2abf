import Synchronization

/// The tokens by which centers know observers that are notified by methods.
final class MethodObserverTable: Sendable {
    static let shared = MethodObserverTable()

    /// One call of `addObserver(_:calling:name:object:)`. Tokens are used under centers' own locks.
    struct Entry: @unchecked Sendable {
        weak var observer: AnyObject?
        weak var center: NotificationCenter?
        let name: Notification.Name?
        let object: ObjectIdentifier?
        let token: any NSObjectProtocol
    }

    /// The entries by their observers' addresses, and at how many the dead ones are looked for.
    fileprivate struct State {
        var entries: [ObjectIdentifier: [Entry]] = [:]
        var count = 0
        var sweepCount = 64
    }

    private let state = Mutex(State())

    /// Keeps an entry, and releases those whose observers are gone, once there are twice as many as lived last time.
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

    /// Takes out what an observer has in a center and gives the tokens; nil stands for any name or object.
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
    /// Takes out and gives the entries whose observers are gone.
    fileprivate mutating func sweep() -> [MethodObserverTable.Entry] {
        let dead = entries.values.joined().filter { $0.observer == nil }
        entries = entries.mapValues { $0.filter { $0.observer != nil } }.filter { !$0.value.isEmpty }
        count -= dead.count
        sweepCount = max(64, 2 * count)
        return dead
    }
}
