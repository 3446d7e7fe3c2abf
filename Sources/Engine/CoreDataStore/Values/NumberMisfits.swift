import CoreDataModeling

/// The stored numbers of an attribute that do not fit the type which a new model gives the attribute.
package struct NumberMisfits: Sendable {
    /// The greatest number of rows that a message names.
    package static let namedRows = 5

    /// The names in the new model. The name of a composite attribute's element follows the attribute's name and a dot.
    package let entity: String
    package let attribute: String
    package let conversion: NumberConversion
    /// The number of values that do not fit.
    package let count: Int
    /// The first rows with such values, as `Entity/p7`, the end of the object's identifier URI.
    package let rows: [String]

    package init(entity: String, attribute: String, conversion: NumberConversion, count: Int, rows: [String]) {
        self.entity = entity
        self.attribute = attribute
        self.conversion = conversion
        self.count = count
        self.rows = rows
    }

    /// Describes the misfits, without the values.
    package var text: String {
        let values = count == 1 ? "1 value" : "\(count) values"
        let more = count > rows.count ? ", …" : ""
        return "\(values) of \(entity).\(attribute) \(count == 1 ? "does" : "do") not fit its new type "
            + "\(conversion.new.text), which was \(conversion.old.text) (\(rows.joined(separator: ", "))\(more))"
    }

    package static let hint =
        "Change them with the model of before, keep the type, or convert them with a mapping model."

    /// `NSMigrationError` with the attribute, rows and number of values; thrown before the migration changes anything.
    ///
    /// - Parameter place: the name of the store in errors.
    package func error(at place: String) -> NSError {
        CoreDataError.make(
            NSMigrationError, "The store '\(place)' cannot be migrated: \(text).",
            reason: "Values do not fit the destination attribute's type", hint: Self.hint,
            userInfo: [
                NSFilePathErrorKey: place, "entity": entity, "attribute": attribute, "rows": rows, "count": count,
            ])
    }
}
