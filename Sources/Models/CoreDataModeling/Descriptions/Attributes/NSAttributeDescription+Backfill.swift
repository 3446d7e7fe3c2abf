import CoreDataFoundation

/// A key in the user info of an attribute, for the expression that computes its value in existing objects when a
/// migration adds the attribute.
///
/// Not in Apple's framework, which ignores it. The text is that of `NSExpression(format:)`, evaluated with the object
/// after the migration: `uppercase(name)`, `price * 1.19`, `owner.name`. For inferred migrations of SQLite stores. An
/// attribute with such a rule may be required without a default value, if the rule gives every object one.
public let CoreDataBackfillUserInfoKey = "CoreDataBackfill"

extension NSAttributeDescription {
    /// The rule's expression; nil without one.
    package final var backfillRule: String? {
        let rule = userInfo?[CoreDataBackfillUserInfoKey] as? String
        return rule?.isEmpty == false ? rule : nil
    }
}
