import CoreDataGraph

/// Sets the properties of a mapping's objects to the values of its expressions; used by the default policy.
struct ObjectFilling {
    let manager: NSMigrationManager
    let session: MigrationSession
    let mapping: NSEntityMapping
    let policy: NSEntityMigrationPolicy

    // MARK: Attributes

    func setAttributes(of destination: NSManagedObject, from source: NSManagedObject) throws {
        for property in mapping.attributeMappings ?? [] {
            guard let name = property.name, let expression = property.valueExpression else { continue }
            guard let attribute = destination.entity.attributesByName[name],
                !(attribute is NSDerivedAttributeDescription)
            else { continue }
            if let key = MappingExpressions.plainKey(of: expression),
                let origin = source.entity.attributesByName[key], origin.attributeType == attribute.attributeType
            {
                // The types are equal, so the value is copied without conversion and range check.
                var value = source.primitiveValue(forKey: key)
                // A required composite whose elements are all null reads as nil; it is migrated as an empty dictionary.
                let elements = value as? [String: Any] ?? (attribute.isOptional ? nil : [:])
                if let elements, attribute is NSCompositeAttributeDescription {
                    value = CompositeMatching.value(elements, of: origin, as: attribute)
                }
                destination.setPrimitiveValue(value, forKey: name)
            } else {
                let value = try value(of: property, expression, source: source, destination: destination)
                let number = value.flatMap {
                    conversion(expression, source: source, attribute: attribute)?.converted($0)
                }
                try set(number ?? value, property, of: destination)
            }
        }
        try session.source.checkReading()
    }

    /// The conversion for an expression that copies a number into an attribute of another numeric type; nil for any
    /// other expression, and for equal types.
    private func conversion(
        _ expression: NSExpression, source: NSManagedObject, attribute: NSAttributeDescription
    ) -> NumberConversion? {
        guard let origin = MappingExpressions.takenKey(of: expression).flatMap({ source.entity.attributesByName[$0] })
        else { return nil }
        return NumberConversion(from: origin.attributeType, to: attribute.attributeType)
    }

    /// Evaluates an expression with the six variables of mapping models.
    func value(
        of property: NSPropertyMapping, _ expression: NSExpression, source: NSManagedObject?,
        destination: NSManagedObject
    ) throws -> Any? {
        let variables: [String: Any] = [
            NSMigrationSourceObjectKey: source ?? NSNull(), NSMigrationDestinationObjectKey: destination,
            NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: mapping, NSMigrationEntityPolicyKey: policy,
            NSMigrationPropertyMappingKey: property,
        ]
        do {
            let value = try expression.value(on: source, variables: variables)
            try session.source.checkReading()
            return value is NSNull ? nil : value
        } catch {
            throw failure(property, what: "its expression fails", error: error)
        }
    }

    private func set(_ value: Any?, _ property: NSPropertyMapping, of destination: NSManagedObject) throws {
        do {
            try destination.setCodedValue(value, forKey: property.name ?? "")
        } catch {
            throw failure(property, what: "the value of its expression cannot be set", error: error)
        }
    }

    private func failure(_ property: NSPropertyMapping, what: String, error: any Error) -> NSError {
        let place = MigrationFailure.Place(
            mapping: mapping.name, entity: mapping.destinationEntityName, property: property.name)
        return MigrationFailure.make(
            NSMigrationError, "The migration failed at \(place.text): \(what).", at: place, underlying: error)
    }

    // MARK: Relationships

    func setRelationships(of destination: NSManagedObject) throws {
        let step = session.step(of: mapping)
        let properties = (mapping.relationshipMappings ?? []).filter {
            $0.valueExpression != nil && step?.isRedundant($0) != true
        }
        guard !properties.isEmpty else { return }
        let source = step.flatMap { session.sources(of: [destination], step: $0.number).first }
        for property in properties {
            guard let name = property.name, let expression = property.valueExpression,
                let relationship = destination.entity.relationshipsByName[name]
            else { continue }
            let value = try value(of: property, expression, source: source, destination: destination)
            let objects = try ExpressionObjects.objects(of: value) { value in
                failure(
                    property, what: "the value of its expression is no object",
                    error: ExpressionError.wrongType(operation: name, type: String(describing: type(of: value))))
            }
            try set(Self.content(of: relationship, objects), property, of: destination)
        }
    }

    /// The value of a relationship, without objects of other entities than its destination; the first object for a
    /// to-one relationship.
    private static func content(of relationship: NSRelationshipDescription, _ objects: [NSManagedObject]) -> Any? {
        guard let target = relationship.destinationEntity else { return nil }
        let fitting = objects.filter { $0.entity.isKindOf(entity: target) }
        guard relationship.isToMany else { return fitting.first }
        return relationship.isOrdered ? NSOrderedSet(array: fitting) : NSSet(array: fitting)
    }
}

extension NSMigrationManager {
    /// The object that sets the properties of a mapping's objects.
    ///
    /// - Throws: `NSMigrationError` unless a migration is running.
    func filling(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws -> ObjectFilling {
        guard let session else {
            throw MigrationFailure.make(NSMigrationError, "No migration goes on.", at: .init(mapping: mapping.name))
        }
        return ObjectFilling(manager: self, session: session, mapping: mapping, policy: policy)
    }
}
