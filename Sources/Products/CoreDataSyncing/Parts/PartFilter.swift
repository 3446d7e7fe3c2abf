import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// Decides which rows are in a part of the store.
///
/// Its predicates are made once and only read from then on.
final class PartFilter: @unchecked Sendable {
    private let predicates: [String: NSPredicate]
    private let isWhole: Bool
    private let mapping: ModelMapping

    /// - Throws: `SyncError` with the code `model` for an unknown entity, and for a predicate that is not over synced attributes of it.
    init(_ part: SyncPart, _ mapping: ModelMapping) throws {
        self.mapping = mapping
        isWhole = part.isWhole
        var named: [String: NSPredicate] = [:]
        for (name, format) in part.formats {
            guard let entity = mapping.entity(named: name) else { throw SyncError.unknownPart(name) }
            do {
                let predicate = try NSPredicate(parsing: format)
                try PartPredicateCheck(entity).visit(predicate)
                named[name] = predicate
            } catch {
                throw SyncError.part(name, (error as? PartPredicateCheck.Refusal)?.reason ?? "\(error)")
            }
        }
        var predicates: [String: NSPredicate] = [:]
        for entity in mapping.entities {
            var next: NSEntityDescription? = entity.layout.entity
            while let ancestor = next {
                if let predicate = ancestor.name.flatMap({ named[$0] }) {
                    predicates[entity.name] = predicate
                    break
                }
                next = ancestor.superentity
            }
        }
        self.predicates = predicates
    }

    func contains(_ row: SyncRow) -> Bool {
        guard !isWhole else { return true }
        guard let predicate = predicates[row.entity], let entity = mapping.entity(named: row.entity) else {
            return false
        }
        // A row whose values cannot be compared stays, so that nothing disappears by a mistake.
        return (try? predicate.evaluation(with: RowReading(row, entity))) ?? true
    }
}

/// A row whose attributes predicates read by name.
private struct RowReading: KeyValueCoding {
    let row: SyncRow
    let entity: EntityMapping

    init(_ row: SyncRow, _ entity: EntityMapping) {
        self.row = row
        self.entity = entity
    }

    func codedValue(forKey key: String) throws -> Any? {
        if let attribute = entity.attributesByName[key] {
            return try ValueConversion.object(row.values[key] ?? .null, attribute)
        }
        return try elements(key + ".")
    }

    /// The elements of a composite, or of one in it, by the path to it.
    private func elements(_ prefix: String) throws -> [String: Any] {
        var elements: [String: Any] = [:]
        for attribute in entity.attributes where attribute.name.hasPrefix(prefix) {
            let rest = attribute.name.dropFirst(prefix.count)
            guard let inner = rest.firstIndex(of: ".") else {
                elements[String(rest)] = try ValueConversion.object(row.values[attribute.name] ?? .null, attribute)
                continue
            }
            let name = String(rest[..<inner])
            if elements[name] == nil { elements[name] = try self.elements(prefix + name + ".") }
        }
        return elements
    }
}

extension SyncError {
    static func unknownPart(_ entity: String) -> SyncError {
        SyncError(
            .model, "The part to keep names the entity '\(entity)', which takes no part in sync.",
            cure: "Name entities of the model that are not excluded.")
    }

    static func part(_ entity: String, _ reason: String) -> SyncError {
        SyncError(
            .model, "The predicate for the part of '\(entity)' cannot be used: \(reason).",
            cure: "Compare attributes of the entity that are synced with constants.")
    }
}
