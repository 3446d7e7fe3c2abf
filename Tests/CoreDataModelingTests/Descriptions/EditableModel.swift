import CoreDataModeling
import Testing

/// A model with a description of every kind, and all that can be set on them, by name.
struct EditableModel {
    private(set) var model = NSManagedObjectModel()
    private(set) var person = NSEntityDescription()
    private(set) var power = NSEntityDescription()
    private(set) var name = NSAttributeDescription()
    private(set) var count = NSDerivedAttributeDescription()
    private(set) var home = NSCompositeAttributeDescription()
    private(set) var street = NSAttributeDescription()
    private(set) var powers = NSRelationshipDescription()
    private(set) var owner = NSRelationshipDescription()
    private(set) var peers = NSFetchedPropertyDescription()
    private(set) var element: NSFetchIndexElementDescription
    private(set) var index: NSFetchIndexDescription

    init() {
        name.name = "name"
        name.type = .string
        element = NSFetchIndexElementDescription(property: name, collationType: .binary)
        index = NSFetchIndexDescription(name: "byName", elements: [element])
        count.name = "count"
        count.derivationExpression = NSExpression(format: "powers.@count")
        street.name = "street"
        street.type = .string
        home.name = "home"
        home.elements = [street]
        powers.name = "powers"
        powers.maxCount = 0
        powers.destinationEntity = power
        owner.name = "owner"
        owner.destinationEntity = person
        powers.inverseRelationship = owner
        peers.name = "peers"
        peers.fetchRequestTemplate = FetchRequestTemplate(entityName: "Person")
        person.name = "Person"
        person.properties = [name, count, home, powers, peers]
        person.indexes = [index]
        power.name = "Power"
        power.properties = [owner]
        model.entities = [person, power]
    }

    /// The copy of a model with its descriptions.
    init(copyOf original: EditableModel) throws {
        self.init()
        model = try #require(original.model.copy() as? NSManagedObjectModel)
        person = try #require(model.entitiesByName["Person"])
        power = try #require(model.entitiesByName["Power"])
        name = try #require(person.attributesByName["name"])
        count = try #require(person.attributesByName["count"] as? NSDerivedAttributeDescription)
        home = try #require(person.attributesByName["home"] as? NSCompositeAttributeDescription)
        street = try #require(home.elements.first)
        powers = try #require(person.relationshipsByName["powers"])
        owner = try #require(power.relationshipsByName["owner"])
        peers = try #require(person.propertiesByName["peers"] as? NSFetchedPropertyDescription)
        index = try #require(person.indexes.first)
        element = try #require(index.elements.first)
    }

    typealias Change = @Sendable (EditableModel) -> Void

    /// Every setter, with a value other than the one that is there.
    static let changes: [String: Change] = modelChanges.merging(entityChanges) { $1 }
        .merging(propertyChanges) { $1 }.merging(attributeChanges) { $1 }
        .merging(relationshipChanges) { $1 }.merging(indexChanges) { $1 }

    private static let modelChanges: [String: Change] = [
        "model.entities": { $0.model.entities = [$0.person] },
        "model.versionIdentifiers": { $0.model.versionIdentifiers = ["2"] },
        "model.localizationDictionary": { $0.model.localizationDictionary = ["Entity/Person": "Personne"] },
        "model.setEntities": { $0.model.setEntities([$0.person], forConfigurationName: "People") },
        "model.templatesByName": { $0.model.templatesByName["all"] = FetchRequestTemplate(entityName: "Person") },
    ]

    private static let entityChanges: [String: Change] = [
        "entity.name": { $0.person.name = "Human" },
        "entity.managedObjectClassName": { $0.person.managedObjectClassName = "Human" },
        "entity.isAbstract": { $0.person.isAbstract = true },
        "entity.subentities": { $0.person.subentities = [$0.power] },
        "entity.properties": { $0.person.properties = [$0.name] },
        "entity.versionHashModifier": { $0.person.versionHashModifier = "2" },
        "entity.renamingIdentifier": { $0.person.renamingIdentifier = "Human" },
        "entity.indexes": { $0.person.indexes = [] },
        "entity.uniquenessConstraints": { $0.person.uniquenessConstraints = [["name"]] },
        "entity.compoundIndexes": { $0.person.compoundIndexes = [["name", "count"]] },
        "entity.coreSpotlightDisplayNameExpression": {
            $0.person.coreSpotlightDisplayNameExpression = NSExpression(forKeyPath: "name")
        },
    ]

    private static let propertyChanges: [String: Change] = [
        "property.name": { $0.name.name = "title" },
        "property.isOptional": { $0.name.isOptional = false },
        "property.isTransient": { $0.name.isTransient = true },
        "property.isIndexed": { $0.name.isIndexed = true },
        "property.isIndexedBySpotlight": { $0.name.isIndexedBySpotlight = true },
        "property.isStoredInExternalRecord": { $0.name.isStoredInExternalRecord = true },
        "property.versionHashModifier": { $0.name.versionHashModifier = "2" },
        "property.renamingIdentifier": { $0.name.renamingIdentifier = "title" },
        "property.setValidationPredicates": {
            $0.name.setValidationPredicates([NSPredicate(format: "length > 1")], withValidationWarnings: ["short"])
        },
    ]

    private static let attributeChanges: [String: Change] = [
        "attribute.attributeType": { $0.name.attributeType = .dateAttributeType },
        "attribute.type": { $0.name.type = .date },
        "attribute.attributeValueClassName": { $0.name.attributeValueClassName = "Name" },
        "attribute.defaultValue": { $0.name.defaultValue = "Ann" },
        "attribute.valueTransformerName": { $0.name.valueTransformerName = "Upper" },
        "attribute.allowsExternalBinaryDataStorage": { $0.name.allowsExternalBinaryDataStorage = true },
        "attribute.preservesValueInHistoryOnDeletion": { $0.name.preservesValueInHistoryOnDeletion = true },
        "attribute.allowsCloudEncryption": { $0.name.allowsCloudEncryption = true },
        "derived.derivationExpression": { $0.count.derivationExpression = NSExpression(format: "now()") },
        "composite.elements": { $0.home.elements = [] },
        "composite.elements.name": { $0.street.name = "road" },
    ]

    private static let relationshipChanges: [String: Change] = [
        "relationship.destinationEntity": { $0.powers.destinationEntity = $0.person },
        "relationship.inverseRelationship": { $0.powers.inverseRelationship = nil },
        "relationship.maxCount": { $0.powers.maxCount = 3 },
        "relationship.minCount": { $0.powers.minCount = 1 },
        "relationship.deleteRule": { $0.powers.deleteRule = .cascadeDeleteRule },
        "relationship.isOrdered": { $0.powers.isOrdered = true },
        "fetched.fetchRequest": { $0.peers.fetchRequestTemplate = FetchRequestTemplate(entityName: "Power") },
    ]

    private static let indexChanges: [String: Change] = [
        "index.name": { $0.index.name = "byTitle" },
        "index.elements": { $0.index.elements = [] },
        "index.partialIndexPredicate": { $0.index.partialIndexPredicate = NSPredicate(format: "name != nil") },
        "element.collationType": { $0.element.collationType = .rTree },
        "element.isAscending": { $0.element.isAscending = false },
    ]
}
