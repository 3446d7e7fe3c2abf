import CoreData
import StoreContract
import Synchronization

/// Keeps the notifications of one poster, in order.
final class NoticeBoard: Sendable {
    private struct Kept: @unchecked Sendable {
        var notifications: [Notification] = []
        var tokens: [any NSObjectProtocol] = []
    }

    private let kept = Mutex(Kept())

    init(_ names: NSNotification.Name..., of poster: AnyObject) {
        for name in names {
            let token = NotificationCenter.default.addObserver(forName: name, object: poster, queue: nil) {
                [weak self] notification in
                nonisolated(unsafe) let notification = notification
                self?.kept.withLock { $0.notifications.append(notification) }
            }
            nonisolated(unsafe) let held = token
            kept.withLock { $0.tokens.append(held) }
        }
    }

    deinit {
        for token in kept.withLock({ $0.tokens }) { NotificationCenter.default.removeObserver(token) }
    }

    var all: [Notification] { kept.withLock { $0.notifications } }
    var names: [NSNotification.Name] { all.map(\.name) }

    /// The objects under a key, of all notifications.
    func objects(_ key: String) -> Set<NSManagedObject> {
        Set(all.flatMap { $0.userInfo?[key] as? Set<NSManagedObject> ?? [] })
    }

    /// The identifiers under a key, of all notifications.
    func identifiers(_ key: String) -> Set<NSManagedObjectID> {
        Set(all.flatMap { $0.userInfo?[key] as? Set<NSManagedObjectID> ?? [] })
    }

    /// The keys of each notification's user info, sorted.
    var keys: [[String]] { all.map { ($0.userInfo ?? [:]).keys.compactMap { $0 as? String }.sorted() } }
}

/// Two contexts with the same saved heroes: what one saves the other may merge.
struct MergeScene {
    let stack: Stack
    let mine: NSManagedObjectContext
    let theirs: NSManagedObjectContext

    /// Heroes Ann and Bob, Ann with the power Flight, Bob without; read by `mine`, but for their relationships.
    init(_ kind: StoreKind) throws {
        stack = try HeroModel.stack(kind)
        let writer = stack.newContext()
        let ann = writer.insert("Hero", ["name": "Ann", "strength": 1])
        writer.insert("Hero", ["name": "Bob", "strength": 2])
        writer.insert("Power", ["name": "Flight", "hero": ann])
        try writer.save()
        (mine, theirs) = (stack.newContext(), stack.newContext())
    }

    /// Saves the other context and lets mine merge that.
    func saveAndMerge() throws {
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: theirs)
        try theirs.save()
        for notification in board.all { mine.mergeChanges(fromContextDidSave: notification) }
    }
}

extension NSManagedObjectContext {
    /// The hero of a name, with values.
    func hero(_ name: String) throws -> Hero {
        let found = try all("Hero", NSPredicate(format: "name == %@", name)).first as? Hero
        guard let found else { throw CocoaError(.validationMissingMandatoryProperty) }
        _ = found.strength
        return found
    }

    /// The power of a name, with values.
    func power(_ name: String) throws -> Power {
        let found = try all("Power", NSPredicate(format: "name == %@", name)).first as? Power
        guard let found else { throw CocoaError(.validationMissingMandatoryProperty) }
        _ = found.level
        return found
    }
}
