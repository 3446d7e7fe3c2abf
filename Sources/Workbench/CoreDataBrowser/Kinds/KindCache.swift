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

    /// The kinds of an entity's attributes.
    ///
    /// - Throws: Errors of the store.
    func kinds(
        of entity: NSEntityDescription, _ choices: KindChoices, _ reading: StoreReading
    ) throws -> EntityKinds {
        let own = choices[entity.name]
        let key = Key(entity: entity.name ?? "", hidden: reading.opened.hidden, choices: own)
        if let known = found.withLock({ $0[key] }) { return known }
        let kinds = try reading.context.kinds(of: entity, in: reading.opened.store, choices: own)
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

extension StoreReading {
    /// The kinds of an entity's attributes.
    ///
    /// - Throws: Errors of the store.
    func kinds(of entity: NSEntityDescription, _ choices: KindChoices) throws -> EntityKinds {
        try opened.kinds.kinds(of: entity, choices, self)
    }
}
