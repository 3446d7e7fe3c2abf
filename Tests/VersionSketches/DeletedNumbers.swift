import CoreData
import StoreContract
import TestBasics

/// Objects whose numbers the history keeps when they are deleted: an attribute for each pair of types, and a composite one.
///
/// The old and the new model differ in the types; the new composite has lost an element and has its others in another order.
package enum DeletedNumbers {
    private static let pairs = NumberPair.all
    private static let rowCount = pairs.map { $0.fitting.count + $0.misfits.count }.max() ?? 0

    package static func model(new: Bool) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = ("Event", "NSManagedObject")
        let numbers = pairs.enumerated().map { attribute("p\($0)", new ? $1.new : $1.old) }
        let point = NSCompositeAttributeDescription()
        (point.name, point.isOptional) = ("point", true)
        point.elements =
            new
            ? [attribute("label", .stringAttributeType), attribute("x", .decimalAttributeType)]
            : [
                attribute("gone", .stringAttributeType), attribute("x", .doubleAttributeType),
                attribute("label", .stringAttributeType),
            ]
        entity.properties = [attribute("name", .stringAttributeType), point] + numbers
        for case let attribute as NSAttributeDescription in entity.properties {
            attribute.preservesValueInHistoryOnDeletion = true
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    /// Makes objects with all the numbers, saves them, and deletes them.
    package static func fill(_ context: NSManagedObjectContext) throws {
        for row in 0..<rowCount {
            let object = context.insert("Event", ["name": "\(row)"])
            object.setValue(["gone": "g", "x": row == 0 ? 0.1 : 1e130, "label": "l"], forKey: "point")
            for (number, pair) in pairs.enumerated() {
                let values = pair.fitting.map(\.before) + pair.misfits
                if row < values.count { object.setValue(values[row], forKey: "p\(number)") }
            }
        }
        try context.save()
        for object in try context.all("Event") { context.delete(object) }
        try context.save()
    }

    /// What is not as it has to be in the tombstones that a context of the new model reads.
    package static func faults(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        let tombstones = transactions.flatMap { $0.changes ?? [] }.filter { $0.changeType == .delete }.map {
            $0.tombstone ?? [:]
        }
        guard tombstones.count == rowCount else { return ["\(tombstones.count) tombstones"] }
        return tombstones.flatMap { tombstone -> [String] in
            guard let row = (tombstone["name"] as? String).flatMap(Int.init) else { return ["no name"] }
            var faults = pairs.enumerated().compactMap { number, pair -> String? in
                let fitting = pair.fitting
                let expected = row < fitting.count ? fitting[row].after : "nil"
                let found = NumberPair.text(tombstone["p\(number)"], pair.new)
                return found == expected ? nil : "\(pair), row \(row): \(found) in place of \(expected)"
            }
            let point = tombstone["point"] as? [String: Any] ?? [:]
            let x = (point["x"] as? NSDecimalNumber)?.stringValue
            if point["label"] as? String != "l" || x != (row == 0 ? "0.1" : nil) || point["gone"] != nil {
                faults.append("row \(row): \(point)")
            }
            return faults
        }
    }
}
