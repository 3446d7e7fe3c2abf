import CoreDataFoundation

/// In the user info of an attribute: the expression that gives old objects a value when a migration adds the attribute.
///
/// Not one of Apple's, whose framework leaves it alone. The text is that of `NSExpression(format:)`, over the object as it is
/// after the migration: `uppercase(name)`, `price * 1.19`, `owner.name`. For inferred migrations of SQLite stores. An
/// attribute with such a rule may be required without a default value, as long as the rule gives every object one.
public let CoreDataBackfillUserInfoKey = "CoreDataBackfill"

extension NSAttributeDescription {
    /// The text of the rule that sets the value of old objects; nil without one.
    package final var backfillRule: String? {
        let rule = userInfo?[CoreDataBackfillUserInfoKey] as? String
        return rule?.isEmpty == false ? rule : nil
    }
}
