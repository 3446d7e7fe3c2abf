import CoreDataModeling
import Testing

/// Every settable member of the model's classes, by the name and the type that Apple's pages give it.
@Suite struct PublicNamesTests {
    /// Sets a member and reads it again.
    private func check<Root, Value: Equatable>(
        _ root: Root, _ member: ReferenceWritableKeyPath<Root, Value>, _ value: Value,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(root[keyPath: member] != value, "the first value is no other one", sourceLocation: location)
        root[keyPath: member] = value
        #expect(root[keyPath: member] == value, sourceLocation: location)
    }

    @Test("the members of a model have Apple's names and types (MOD-01)")
    func membersOfModelHaveApplesNamesAndTypes() {
        let (model, hero) = (NSManagedObjectModel(), NSEntityDescription())
        hero.name = "Hero"
        check(model, \.entities as ReferenceWritableKeyPath<_, [NSEntityDescription]>, [hero])
        check(model, \.localizationDictionary as ReferenceWritableKeyPath<_, [String: String]?>, ["Entity/Hero": "H"])
        check(model, \.versionIdentifiers as ReferenceWritableKeyPath<_, Set<AnyHashable>>, ["1.1"])
        let names: [String: NSEntityDescription] = model.entitiesByName
        let configurations: [String] = model.configurations
        let checksum: String = model.versionChecksum
        let hashes: [String: Data] = model.entityVersionHashesByName
        #expect(names["Hero"] === hero && configurations.count == 1 && checksum.utf8.count == 44 && hashes.count == 1)
    }

    @Test("the members of an entity have Apple's names and types (MOD-07)")
    func membersOfEntityHaveApplesNamesAndTypes() {
        let (entity, child, attribute) = (NSEntityDescription(), NSEntityDescription(), NSAttributeDescription())
        attribute.name = "a"
        check(entity, \.name as ReferenceWritableKeyPath<_, String?>, "Hero")
        check(entity, \.managedObjectClassName as ReferenceWritableKeyPath<_, String?>, "Hero")
        check(entity, \.isAbstract, true)
        check(entity, \.subentities as ReferenceWritableKeyPath<_, [NSEntityDescription]>, [child])
        check(entity, \.properties as ReferenceWritableKeyPath<_, [NSPropertyDescription]>, [attribute])
        check(entity, \.versionHashModifier as ReferenceWritableKeyPath<_, String?>, "2")
        check(entity, \.renamingIdentifier as ReferenceWritableKeyPath<_, String?>, "Champion")
        let index = NSFetchIndexDescription(name: "byA", elements: nil)
        check(entity, \.indexes as ReferenceWritableKeyPath<_, [NSFetchIndexDescription]>, [index])
        let constraints: [[Any]] = [["a"], [attribute]]
        entity.uniquenessConstraints = constraints
        entity.compoundIndexes = constraints
        #expect(entity.uniquenessConstraints.count == 2 && entity.compoundIndexes.count == 2)
        #expect(entity.uniquenessConstraintNames == [["a"], ["a"]])
        let info: [AnyHashable: Any] = ["key": 1]
        entity.userInfo = info
        #expect(entity.userInfo?["key"] as? Int == 1)
        entity.coreSpotlightDisplayNameExpression = NSExpression(forKeyPath: "a")
        let expression: NSExpression = entity.coreSpotlightDisplayNameExpression
        #expect(expression.keyPath == "a")
        #expect(child.superentity === entity && entity.subentitiesByName.isEmpty)
        #expect(entity.relationships(forDestination: child).isEmpty && child.isKindOf(entity: entity))
    }

    @Test("the members of a property have Apple's names and types (MOD-25)")
    func membersOfPropertyHaveApplesNamesAndTypes() {
        let attribute = NSAttributeDescription()
        check(attribute, \.name as ReferenceWritableKeyPath<_, String>, "a")
        check(attribute, \.isOptional, false)
        check(attribute, \.isTransient, true)
        check(attribute, \.isIndexed, true)
        check(attribute, \.isIndexedBySpotlight, true)
        check(attribute, \.isStoredInExternalRecord, true)
        check(attribute, \.versionHashModifier as ReferenceWritableKeyPath<_, String?>, "2")
        check(attribute, \.renamingIdentifier as ReferenceWritableKeyPath<_, String?>, "b")
        check(attribute, \.attributeType as ReferenceWritableKeyPath<_, NSAttributeType>, .stringAttributeType)
        check(attribute, \.type as ReferenceWritableKeyPath<_, NSAttributeDescription.AttributeType>, .integer16)
        check(attribute, \.attributeValueClassName as ReferenceWritableKeyPath<_, String?>, "Name")
        check(attribute, \.valueTransformerName as ReferenceWritableKeyPath<_, String?>, "T")
        check(attribute, \.allowsExternalBinaryDataStorage, true)
        check(attribute, \.preservesValueInHistoryOnDeletion, true)
        check(attribute, \.allowsCloudEncryption, true)
        attribute.defaultValue = 7
        #expect(attribute.defaultValue as? Int == 7)
        let predicates: [NSPredicate] = attribute.validationPredicates
        let warnings: [Any] = attribute.validationWarnings
        let hash: Data = attribute.versionHash
        #expect(predicates.isEmpty && warnings.isEmpty && hash.count == 32)
    }

    @Test("the members of a relationship have Apple's names and types (MOD-27)")
    func membersOfRelationshipHaveApplesNamesAndTypes() {
        let (relationship, other, entity) = (
            NSRelationshipDescription(), NSRelationshipDescription(), NSEntityDescription()
        )
        other.name = "other"
        check(relationship, \.destinationEntity as ReferenceWritableKeyPath<_, NSEntityDescription?>, entity)
        check(relationship, \.inverseRelationship as ReferenceWritableKeyPath<_, NSRelationshipDescription?>, other)
        check(relationship, \.maxCount as ReferenceWritableKeyPath<_, Int>, 0)
        check(relationship, \.minCount as ReferenceWritableKeyPath<_, Int>, 2)
        check(relationship, \.deleteRule as ReferenceWritableKeyPath<_, NSDeleteRule>, .denyDeleteRule)
        check(relationship, \.isOrdered, true)
        #expect(relationship.isToMany)
    }

    @Test("the members of the other descriptions have Apple's names and types (MOD-42)")
    func membersOfOtherDescriptionsHaveApplesNamesAndTypes() {
        let (derived, composite, column) = (
            NSDerivedAttributeDescription(), NSCompositeAttributeDescription(), NSExpressionDescription()
        )
        derived.derivationExpression = NSExpression(format: "now()")
        #expect(derived.derivationExpression != nil)
        let street = NSAttributeDescription()
        check(composite, \.elements as ReferenceWritableKeyPath<_, [NSAttributeDescription]>, [street])
        check(column, \.expressionResultType as ReferenceWritableKeyPath<_, NSAttributeType>, .doubleAttributeType)
        check(column, \.resultType as ReferenceWritableKeyPath<_, NSAttributeDescription.AttributeType>, .float)
        column.expression = NSExpression(forKeyPath: "a")
        #expect(column.expression?.keyPath == "a")
        let element = NSFetchIndexElementDescription(property: street, collationType: .binary)
        check(element, \.collationType as ReferenceWritableKeyPath<_, NSFetchIndexElementType>, .rTree)
        check(element, \.isAscending, false)
        let index = NSFetchIndexDescription(name: "i", elements: nil)
        check(index, \.name, "j")
        check(index, \.elements as ReferenceWritableKeyPath<_, [NSFetchIndexElementDescription]>, [element])
        index.partialIndexPredicate = NSPredicate(format: "a > 1")
        #expect(index.partialIndexPredicate != nil && index.entity == nil)
        #expect(element.indexDescription === index && element.property === street && element.propertyName == "")
    }
}
