import CoreDataFoundation

/// Where one property of a migrated object gets its value from.
///
/// May be changed, by one thread, also during a migration: a policy that sets another value expression sets it from there on.
///
/// ```swift
/// let name = NSPropertyMapping()
/// name.name = "name"
/// name.valueExpression = NSExpression(format: "uppercase($source.lastName)")
/// ```
open class NSPropertyMapping: NSObject {
    /// The name of the property in the destination entity.
    open var name: String?

    /// The expression whose value the property gets; nil leaves the property as a new object has it.
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

    /// The property and its expression; `–` without one.
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

    /// The keys that are answered.
    public var codedKeys: [String] { ["name", "valueExpression", "userInfo"] }
}
