import CoreDataSQL
import Synchronization

/// The texts of statements that write one row, which are the same each time: to make one takes about as long as to send it.
final class StatementTexts: Sendable {
    /// So many are remembered; a model with many more sets of changed attributes makes some again.
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

    /// The text for an entity and the slots that are written, made where it is not known.
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
