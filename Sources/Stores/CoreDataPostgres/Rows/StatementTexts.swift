import CoreDataSQL
import Synchronization

/// Caches the texts of statements that write a single row: building a text takes about as long as sending it.
final class StatementTexts: Sendable {
    /// The maximum number of texts; when it is reached, the cache is cleared.
    private static let most = 1_000

    enum Purpose {
        case insertion
        case update
    }

    private struct Key: Hashable {
        let purpose: Purpose
        let entity: Int
        let slots: SlotSet?
    }

    private let texts = Mutex<[Key: String]>([:])

    /// Returns the text for an entity and the slots that are written; calls `make` if it is not in the cache.
    func text(_ purpose: Purpose, entity: Int, slots: SlotSet?, make: () -> String) -> String {
        let key = Key(purpose: purpose, entity: entity, slots: slots)
        if let known = texts.withLock({ $0[key] }) { return known }
        let made = make()
        texts.withLock {
            if $0.count >= Self.most { $0 = [:] }
            $0[key] = made
        }
        return made
    }
}
