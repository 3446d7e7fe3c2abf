import CoreDataFoundation

/// How a migration makes objects of one entity from objects of another.
///
/// Made in code or read from a mapping model. May be changed by one thread, also during a migration.
///
/// ```swift
/// let mapping = NSEntityMapping()
/// mapping.name = "PersonToCustomer"
/// mapping.mappingType = .transformEntityMappingType
/// mapping.sourceEntityName = "Person"
/// mapping.destinationEntityName = "Customer"
/// mapping.attributeMappings = [nameMapping]
/// ```
open class NSEntityMapping: NSObject {
    /// The name, by which expressions refer to the objects that the mapping made; unique in its model, often
    /// `SourceToDestination`.
    open var name: String!

    /// The kind of mapping; it only determines whether objects are made (`add` and `remove` do not make objects).
    open var mappingType = NSEntityMappingType.undefinedEntityMappingType

    /// The name of the entity in the source model; nil for a new entity.
    open var sourceEntityName: String?

    /// The version hash of the source entity; nil if the mapping is for any version of it.
    open var sourceEntityVersionHash: Data?

    /// The name of the entity in the destination model; nil for a removed entity.
    open var destinationEntityName: String?

    /// The version hash of the destination entity; nil if the mapping is for any version of it.
    open var destinationEntityVersionHash: Data?

    /// The mappings of the attributes, whose expressions give the values of the new objects.
    open var attributeMappings: [NSPropertyMapping]?

    /// The mappings of the relationships, whose expressions give the related objects of the new objects.
    open var relationshipMappings: [NSPropertyMapping]?

    /// The expression whose value is the list of the source objects; nil for all objects of the source entity.
    open var sourceExpression: NSExpression?

    /// Values of the mapping's author, by key.
    open var userInfo: [AnyHashable: Any]?

    /// The name of the policy's class, a subclass of `NSEntityMigrationPolicy`; nil for that class itself.
    open var entityMigrationPolicyClassName: String?

    /// Makes a mapping without names.
    public override init() {}

    /// The mapping and its property mappings, one line for each.
    override open var description: String {
        var lines = [
            "\(name ?? "?"): \(mappingType.word), \(sourceEntityName ?? "–") to \(destinationEntityName ?? "–")"
                + (entityMigrationPolicyClassName.map { ", policy \($0)" } ?? "")
        ]
        lines += ((attributeMappings ?? []) + (relationshipMappings ?? [])).map { "    \($0)" }
        return lines.joined(separator: "\n")
    }
}

extension NSEntityMapping: KeyValueCoding {
    /// The value of a property by name, for `$entityMapping` in expressions.
    ///
    /// - Throws: `UnknownKeyError` for any other key.
    public func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "name": return name
        case "mappingType": return mappingType.rawValue
        case "sourceEntityName": return sourceEntityName
        case "sourceEntityVersionHash": return sourceEntityVersionHash
        case "destinationEntityName": return destinationEntityName
        case "destinationEntityVersionHash": return destinationEntityVersionHash
        case "attributeMappings": return attributeMappings
        case "relationshipMappings": return relationshipMappings
        case "sourceExpression": return sourceExpression
        case "userInfo": return userInfo
        case "entityMigrationPolicyClassName": return entityMigrationPolicyClassName
        default: throw unknownKey(key)
        }
    }

    /// The keys that the mapping has.
    public var codedKeys: [String] {
        [
            "name", "mappingType", "sourceEntityName", "sourceEntityVersionHash", "destinationEntityName",
            "destinationEntityVersionHash", "attributeMappings", "relationshipMappings", "sourceExpression", "userInfo",
            "entityMigrationPolicyClassName",
        ]
    }
}
