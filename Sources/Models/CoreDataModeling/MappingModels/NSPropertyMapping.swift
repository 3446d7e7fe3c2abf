import CoreDataFoundation

/// How a migration computes the value of one property of a migrated object.
///
/// May be changed, by one thread, also during a migration: a value expression that a policy sets applies to objects
/// migrated from then on.
///
/// ```swift
/// let name = NSPropertyMapping()
/// name.name = "name"
/// name.valueExpression = NSExpression(format: "uppercase($source.lastName)")
/// ```
open class NSPropertyMapping: NSObject {
    /// The name of the property in the destination entity.
    open var name: String?

    /// The expression of the property's value; if it is nil, the property keeps the value of a new object.
    ///
    /// | variable | stands for |
    /// |---|---|
    /// | `$source` | the source object |
    /// | `$destination` | the migrated object |
    /// | `$manager` | the migration manager |
    /// | `$entityMapping` | the mapping of the entity |
    /// | `$entityPolicy` | the policy that carries it out |
    /// | `$propertyMapping` | this mapping |
    open var valueExpression: NSExpression?

    /// Values of the mapping's author, by key.
    open var userInfo: [AnyHashable: Any]?

    /// Makes a mapping without a name and an expression.
    public override init() {}

    package convenience init(name: String, valueExpression: NSExpression?) {
        self.init()
        self.name = name
        self.valueExpression = valueExpression
    }

    /// The property and its expression; `–` for a missing expression.
    override open var description: String { "\(name ?? "?") = \(valueExpression?.formatString ?? "–")" }
}

extension NSPropertyMapping: KeyValueCoding {
    /// The value of a property by name, for `$propertyMapping` in expressions.
    ///
    /// - Throws: `UnknownKeyError` for any other key.
    public func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "name": return name
        case "valueExpression": return valueExpression
        case "userInfo": return userInfo
        default: throw unknownKey(key)
        }
    }

    /// The keys that the mapping has.
    public var codedKeys: [String] { ["name", "valueExpression", "userInfo"] }
}
