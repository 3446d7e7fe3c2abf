import CoreDataModeling

/// Numbers of a store that do not fit the type that a new model gives their attribute.
package struct NumberMisfits: Sendable {
    /// How many rows are named.
    package static let namedRows = 5

    /// The entity and the attribute as the new model names them; an element of a composite with a dot before it.
    package let entity: String
    package let attribute: String
    package let conversion: NumberConversion
    /// How many there are.
    package let count: Int
    /// The first of their rows, as `Entity/p7`, which is how the identifier of the object ends.
    package let rows: [String]

    package init(entity: String, attribute: String, conversion: NumberConversion, count: Int, rows: [String]) {
        self.entity = entity
        self.attribute = attribute
        self.conversion = conversion
        self.count = count
        self.rows = rows
    }

    /// What is wrong in words, without the values.
    package var text: String {
        let values = count == 1 ? "1 value" : "\(count) values"
        let more = count > rows.count ? ", …" : ""
        return "\(values) of \(entity).\(attribute) \(count == 1 ? "does" : "do") not fit its new type "
            + "\(conversion.new.text), which was \(conversion.old.text) (\(rows.joined(separator: ", "))\(more))"
    }

    package static let hint =
        "Change them with the model of before, keep the type, or convert them with a mapping model."

    /// `NSMigrationError` naming attribute, rows and number, before anything has been changed.
    ///
    /// - Parameter place: the store, as errors name it.
    package func error(at place: String) -> NSError {
        CoreDataError.make(
            NSMigrationError, "The store '\(place)' cannot be migrated: \(text).",
            reason: "Values do not fit the destination attribute's type", hint: Self.hint,
            userInfo: [
                NSFilePathErrorKey: place, "entity": entity, "attribute": attribute, "rows": rows, "count": count,
            ])
    }
}
