import CoreDataGraph
import Foundation

/// The last values of a deleted model: those of properties with `.preserveValueOnDeletion` that were not nil.
public struct HistoryTombstone<Model: PersistentModel>: Sendable {
    /// The values by the numbers of the properties.
    private let values: [Int: any Sendable]

    init(_ stored: [AnyHashable: Any]) {
        let plan = ModelPlan.of(Model.self)
        let found: [Int: Any] = Dictionary(
            uniqueKeysWithValues: plan.properties.compactMap { property in
                stored[property.name].flatMap(property.value(ofStored:)).map { (property.number, $0) }
            })
        // The protocol has no representation at run time, and the values are not shared.
        values = unsafeBitCast(found, to: [Int: any Sendable].self)
    }

    /// The last value of a property; nil if it was nil, or is not kept.
    public subscript(path: PartialKeyPath<Model>) -> (any Sendable)? {
        ModelPlan.of(Model.self).property(at: path).flatMap { values[$0.number] }
    }

    /// The last value of a property; nil if it was nil, or is not kept.
    public subscript<Value>(path: KeyPath<Model, Value>) -> Value? {
        ModelPlan.of(Model.self).property(at: path).flatMap { values[$0.number] as? Value }
    }
}

extension PropertyPlan {
    /// The value of the property in Swift, from the one that key-value coding has; nil if it is of another type.
    func value(ofStored stored: Any) -> Any? {
        switch kind {
        case .simple(let type): return type.anyValue(of: stored)
        case .composite(let plan): return (stored as? [String: Any]).flatMap { try? plan.decode($0) }
        case .encoded(let type): return (stored as? Data).flatMap { try? StoredJSON.decode(type, from: $0) }
        case .transformed: return stored
        case .toOne, .toMany, .unsupported: return nil
        }
    }
}

extension PersistentValue {
    fileprivate static func anyValue(of stored: Any) -> Any? { value(of: stored).map { $0 } }
}
