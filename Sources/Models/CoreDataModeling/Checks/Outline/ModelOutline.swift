import CoreDataFoundation

/// A model as its author wrote it, before entities and relationships are linked, with positions in the source.
///
/// Names may be missing, duplicate or without an object, so everything is looked up by name (`ModelScope`).
struct ModelOutline {
    struct Entity {
        let description: NSEntityDescription
        let name: String
        let parent: String?
        let place: SourcePlace?
        let properties: [Property]
    }

    struct Property {
        let description: NSPropertyDescription
        let place: SourcePlace?
        /// The name of a relationship's destination entity.
        var destination: String?
        var inverse: String?
        /// The name of the entity that declares the inverse, according to the source.
        var inverseEntity: String?
        /// Whether the source states that the relationship is to-many; nil if it states only its maximum count.
        var isToMany: Bool?

        var name: String { description.name }
        var attribute: NSAttributeDescription? { description as? NSAttributeDescription }
        var relationship: NSRelationshipDescription? { description as? NSRelationshipDescription }
        var fetched: NSFetchedPropertyDescription? { description as? NSFetchedPropertyDescription }
    }

    struct Configuration {
        let name: String
        let members: [String]
        let place: SourcePlace?
    }

    struct Request {
        let name: String
        let template: FetchRequestTemplate
        let place: SourcePlace?
    }

    struct Composite {
        let name: String
        let elements: [Property]
        let place: SourcePlace?
    }

    var entities: [Entity] = []
    var configurations: [Configuration] = []
    var requests: [Request] = []
    var composites: [Composite] = []
    /// The positions of fetch indexes, and in a source of all other descriptions, by description.
    var places: [ObjectIdentifier: SourcePlace] = [:]
    /// Findings about what the reader of a source could not read.
    var faults: [ModelFinding] = []
    var isSource = false
    var isUsedWithCloudKit = false

    func place(of description: NSObject) -> SourcePlace? { places[ObjectIdentifier(description)] }
}

extension ModelOutline {
    /// Makes the outline of what a reader has found in a file.
    init(_ assembly: ModelAssembly) {
        isSource = assembly.isSource
        places = assembly.places
        var links: [ObjectIdentifier: ModelAssembly.Link] = [:]
        for link in assembly.links { links[ObjectIdentifier(link.relationship)] = link }
        entities = assembly.entities.map { entity in
            Entity(
                description: entity, name: entity.name ?? "", parent: assembly.parents[ObjectIdentifier(entity)],
                place: assembly.place(of: entity),
                properties: entity.ownProperties.map { property in
                    let link = links[ObjectIdentifier(property)]
                    return Property(
                        description: property, place: assembly.place(of: property), destination: link?.destination,
                        inverse: link?.inverse, inverseEntity: link?.inverseEntity, isToMany: link?.isToMany)
                })
        }
        configurations = assembly.configurations.map {
            Configuration(name: $0.name, members: $0.members, place: $0.place)
        }
        requests = assembly.requests.map { Request(name: $0.name, template: $0.template, place: $0.place) }
        composites = assembly.composites.map { composite in
            Composite(
                name: composite.name,
                elements: composite.elements.map { Property(description: $0, place: assembly.place(of: $0)) },
                place: composite.place)
        }
    }

    /// Makes the outline of a linked model, without positions.
    init(_ model: NSManagedObjectModel) {
        entities = model.entities.map { entity in
            Entity(
                description: entity, name: entity.name ?? "", parent: entity.superentity.map { $0.name ?? "" },
                place: nil, properties: entity.ownProperties.map(Property.init(linked:)))
        }
        configurations = model.entityNamesByConfiguration.sorted { $0.key < $1.key }.map {
            Configuration(name: $0.key, members: $0.value, place: nil)
        }
        requests = model.templatesByName.sorted { $0.key < $1.key }.map {
            Request(name: $0.key, template: $0.value, place: nil)
        }
    }
}

extension ModelOutline.Property {
    fileprivate init(linked description: NSPropertyDescription) {
        self.description = description
        place = nil
        guard let relationship = description as? NSRelationshipDescription else { return }
        destination = relationship.destinationEntity?.name
        inverse = relationship.inverseRelationship?.name
        inverseEntity = relationship.inverseRelationship?.entity?.name
    }
}
