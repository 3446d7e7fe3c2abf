// The names of the variables in expressions of mapping models, such as `$source.name`. Source: Apple's documentation of
// NSEntityMigrationPolicy.

/// `$manager`: the `NSMigrationManager` that runs the migration.
public let NSMigrationManagerKey = "manager"

/// `$source`: the source object; nil in the expression that finds the source objects.
public let NSMigrationSourceObjectKey = "source"

/// `$destination`: the destination object.
public let NSMigrationDestinationObjectKey = "destination"

/// `$entityMapping`: the `NSEntityMapping` being executed.
public let NSMigrationEntityMappingKey = "entityMapping"

/// `$propertyMapping`: the `NSPropertyMapping` whose value is being computed.
public let NSMigrationPropertyMappingKey = "propertyMapping"

/// `$entityPolicy`: the `NSEntityMigrationPolicy` of the entity mapping.
public let NSMigrationEntityPolicyKey = "entityPolicy"
