import CoreDataGraph
import Foundation

/// Reading and writing of a property whose type is known at run time only.
extension PropertyPlan {
    /// Reads the property; nil for null and for a stored value that its type does not accept, which is logged.
    @usableFromInline func read(_ record: ModelRecord) -> Any? {
        switch kind {
        case .simple(let type): return isOptional ? type.readAny(record, number) : type.readPresent(record, number)
        case .composite(let plan):
            let stored: [String: Any]? = record.attribute(number)
            return stored.flatMap { stored in decoded { try plan.decode(stored, defaults: defaultElements) } }
        case .encoded(let type):
            let stored: Data? = record.attribute(number)
            return stored.flatMap { stored in decoded { try StoredJSON.decode(type, from: stored) } }
        case .transformed: return record.attributeObject(number) as Any?
        case .toOne:
            let target: ModelRecord? = record.toOne(number)
            return target?.presentModel()
        case .toMany(let type): return type.members(of: record, number)
        case .unsupported: return nil
        }
    }

    private func decoded(_ body: () throws -> Any) -> Any? {
        do { return try body() } catch {
            CoreDataLogging.report(.error, "The stored value of '\(name)' is not one of \(valueType): \(error)")
            return isOptional ? nil : defaultValue
        }
    }

    /// Writes the property; stops for a value that cannot be encoded, as for one of the wrong type.
    @usableFromInline func write(_ value: Any, to record: ModelRecord) {
        let value = unwrapped(value)
        switch kind {
        case .simple(let type): type.writeAny(value, record, number)
        case .composite(let plan):
            record.setAttribute(number, orStop { try value.map { try plan.encode($0) } })
        case .encoded:
            let bytes = orStop { try (value as? any Encodable).map { try StoredJSON.encode($0) } }
            record.setAttribute(number, bytes)
        case .transformed: record.setAttributeObject(number, value)
        case .toOne:
            record.setToOne(number, (value as? any PersistentModel).flatMap { record.relatable($0) })
        case .toMany:
            let targets = (value as? [any PersistentModel]) ?? []
            record.setToMany(number, targets.compactMap { record.relatable($0) })
        case .unsupported: return
        }
    }
}

extension PersistentValue {
    fileprivate static func readAny(_ record: NSManagedObject, _ number: Int) -> Any? {
        readOptional(record, number).map { $0 }
    }
    fileprivate static func readPresent(_ record: NSManagedObject, _ number: Int) -> Any { read(record, number) }
    fileprivate static func writeAny(_ value: Any?, _ record: NSManagedObject, _ number: Int) {
        writeOptional(value as? Self, record, number)
    }
}

extension PersistentModel {
    fileprivate static func members(of record: ModelRecord, _ number: Int) -> Any {
        record.members(number) as [Self]
    }
}
