// The names of the variables that expressions of mapping models may use: `$source.name`. Apple's documentation of
// NSEntityMigrationPolicy names them and says what each is.

/// `$manager`: the `NSMigrationManager` that carries the mapping out.
public let NSMigrationManagerKey = "manager"

/// `$source`: the object that is migrated; nil in the expression that finds the objects.
public let NSMigrationSourceObjectKey = "source"

/// `$destination`: the object that it becomes.
public let NSMigrationDestinationObjectKey = "destination"

/// `$entityMapping`: the `NSEntityMapping` that is carried out.
public let NSMigrationEntityMappingKey = "entityMapping"

/// `$propertyMapping`: the `NSPropertyMapping` whose value is computed.
public let NSMigrationPropertyMappingKey = "propertyMapping"

/// `$entityPolicy`: the `NSEntityMigrationPolicy` of the entity mapping.
public let NSMigrationEntityPolicyKey = "entityPolicy"
