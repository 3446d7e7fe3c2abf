import CoreDataFoundation
import LockKit

/// Who reads and writes which items in this process.
///
/// Invariants:
/// 1. A writer of an item is alone with it, with all that is in it and with the folders that it is in, but for accesses of the same owner.
/// 2. `moves` has the last place of an item that moved while an access waits for it.
final class AccessTable: @unchecked Sendable {
    static let shared = AccessTable()

    struct Access: Equatable {
        let id = UUID()
        let owner: String
        var path: String
        let isWriting: Bool
    }

    private let condition = NSCondition()
    private var held: [Access] = []
    private var waiting: [UUID: String] = [:]

    /// Waits for an item, and returns the access with its path, which may be another one by then; nil if `isCancelled`.
    func begin(_ path: String, writing: Bool, owner: String, isCancelled: () -> Bool) -> Access? {
        condition.lock()
        defer { condition.unlock() }
        let id = UUID()
        waiting[id] = path
        defer { waiting[id] = nil }
        while let path = waiting[id], !isCancelled() {
            let isFree = held.allSatisfy { other in
                other.owner == owner || !(writing || other.isWriting) || !Self.touch(other.path, path)
            }
            if isFree {
                let access = Access(owner: owner, path: path, isWriting: writing)
                held.append(access)
                return access
            }
            condition.wait()
        }
        return nil
    }

    func end(_ access: Access) {
        condition.withLock {
            held.removeAll { $0.id == access.id }
            condition.broadcast()
        }
    }

    /// Those who wait for the item, or something in it, get it at its new place.
    func moved(_ old: String, _ new: String) {
        condition.withLock {
            for (id, path) in waiting {
                if let place = Self.place(of: path, moved: old, to: new) { waiting[id] = place }
            }
        }
    }

    func wakeAll() { condition.withLock { condition.broadcast() } }

    static func place(of path: String, moved old: String, to new: String) -> String? {
        if path == old { return new }
        return path.hasPrefix(old + "/") ? new + path.dropFirst(old.count) : nil
    }

    /// Whether one of two items is, or is in, the other.
    static func touch(_ one: String, _ other: String) -> Bool {
        one == other || one.hasPrefix(other + "/") || other.hasPrefix(one + "/")
    }
}
