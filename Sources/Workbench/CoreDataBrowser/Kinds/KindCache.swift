import CoreData
import CoreDataKinds
import Synchronization

/// The kinds of entities of an open store, each found once: the store is closed and opened again for another model.
final class KindCache: Sendable {
    private struct Key: Hashable {
        let entity: String
        let hidden: HiddenParts?
        let choices: [String: String]
    }

    /// The most that are kept; then all are found again.
    private static let limit = 1_000
    private let found = Mutex<[Key: EntityKinds]>([:])

    /// The kinds of an entity's attributes; `find` is called if they are not known.
    ///
    /// - Throws: Errors of `find`.
    func kinds(
        of entity: String, hidden: HiddenParts?, choices: [String: String], find: () throws -> EntityKinds
    ) throws -> EntityKinds {
        let key = Key(entity: entity, hidden: hidden, choices: choices)
        if let known = found.withLock({ $0[key] }) { return known }
        let kinds = try find()
        // An empty store says nothing yet.
        if kinds.hasSamples {
            found.withLock { found in
                if found.count >= Self.limit { found = [:] }
                found[key] = kinds
            }
        }
        return kinds
    }
}
