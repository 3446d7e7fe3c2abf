import CoreData
import CoreDataKinds

/// Which kinds persons have chosen for attributes of a store, or have ruled out. It is kept as the state `kinds` of the store's views:
/// `{ENTITY: {KEY: KIND}}`.
struct KindChoices: Hashable, Sendable {
    static let stateName = "kinds"
    /// The most entities and the most attributes of one for which a choice is read.
    private static let limit = 10_000

    private var byEntity: [String: [String: String]] = [:]

    /// Reads the state. What is no choice is left out: it may be of another version.
    init(_ value: JSONValue = .null) {
        guard case .members(let entities) = value else { return }
        for entity in entities.prefix(Self.limit) {
            guard case .members(let keys) = entity.value else { continue }
            for key in keys.prefix(Self.limit) {
                if case .string(let kind) = key.value { byEntity[entity.key, default: [:]][key.key] = kind }
            }
        }
    }

    subscript(entity: String?) -> [String: String] { entity.flatMap { byEntity[$0] } ?? [:] }
}
