import CoreDataGraph
import Foundation

extension ModelRecord {
    /// Takes the values that a model was made with.
    ///
    /// - Parameters:
    ///   - values: Those of a model whose class has no superclass.
    ///   - parts: Those of the classes of any other, the topmost first.
    func takeValues(_ values: DetachedValues?, _ parts: [DetachedValues], of model: some PersistentModel) {
        for property in plan.properties {
            let own = parts.isEmpty ? values : parts.last { $0.base <= property.number }
            let given = property.isConstant ? model[keyPath: property.keyPath] : own?[property.number]
            // What most properties are: the value has the type of the variable, and is written without a look at what it is.
            if case .simple(let type) = property.kind, let given, type.writeTyped(given, self, property.number) {
                continue
            }
            guard let value = unwrapped(given) else {
                // An attribute that was set to nil does not take the default.
                if property.defaultValue != nil { property.write(Optional<Any>.none as Any, to: self) }
                continue
            }
            // The other side of the relationship may have been set already.
            if case .toMany = property.kind, (value as? [any PersistentModel])?.isEmpty == true { continue }
            property.write(value, to: self)
        }
    }
}

extension PersistentValue {
    /// Writes a value of the type or of its optional; returns false for any other value.
    fileprivate static func writeTyped(_ value: Any, _ record: NSManagedObject, _ number: Int) -> Bool {
        if let value = value as? Self {
            write(value, record, number)
            return true
        }
        return writeOptional(any: value, record, number)
    }

    /// Apart, since the metadata of the optional type would be looked up for each value.
    @inline(never) private static func writeOptional(
        any value: Any, _ record: NSManagedObject, _ number: Int
    ) -> Bool {
        guard let value = value as? Self? else { return false }
        writeOptional(value, record, number)
        return true
    }
}
