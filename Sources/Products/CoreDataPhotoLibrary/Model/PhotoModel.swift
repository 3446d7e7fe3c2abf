import CoreData

/// The model of photo libraries: assets, and albums with their assets in order.
enum PhotoModel {
    static let (asset, album) = ("PhotoAsset", "PhotoAlbum")

    /// A fresh model.
    static func make() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let assets = entity(
            asset,
            [
                ("identifier", .stringAttributeType), ("path", .stringAttributeType), ("digest", .stringAttributeType),
                ("fileSize", .integer64AttributeType), ("fileTime", .dateAttributeType),
                ("type", .stringAttributeType), ("mediaType", .integer16AttributeType),
                ("pixelWidth", .integer32AttributeType), ("pixelHeight", .integer32AttributeType),
                ("creationDate", .dateAttributeType), ("modificationDate", .dateAttributeType),
                ("latitude", .doubleAttributeType), ("longitude", .doubleAttributeType),
                ("altitude", .doubleAttributeType), ("duration", .doubleAttributeType),
                ("camera", .stringAttributeType),
                ("isFavorite", .booleanAttributeType), ("isHidden", .booleanAttributeType),
                ("isAvailable", .booleanAttributeType), ("isDeletedAsset", .booleanAttributeType),
            ])
        let albums = entity(
            album,
            [
                ("identifier", .stringAttributeType), ("title", .stringAttributeType),
                ("creationDate", .dateAttributeType),
            ])
        let members = relationship("assets", to: assets, isOrdered: true)
        let owners = relationship("albums", to: albums, isOrdered: false)
        (members.inverseRelationship, owners.inverseRelationship) = (owners, members)
        albums.properties.append(members)
        assets.properties.append(owners)
        assets.indexes = ["identifier", "path", "digest"].map { index($0, of: assets) }
        albums.indexes = [index("identifier", of: albums)]
        model.entities = [assets, albums]
        return model
    }

    private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        return entity
    }

    private static func relationship(
        _ name: String, to entity: NSEntityDescription, isOrdered: Bool
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.isOptional = true
        (relationship.minCount, relationship.maxCount) = (0, 0)
        relationship.isOrdered = isOrdered
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    private static func index(_ name: String, of entity: NSEntityDescription) -> NSFetchIndexDescription {
        let elements = entity.propertiesByName[name].map {
            [NSFetchIndexElementDescription(property: $0, collationType: .binary)]
        }
        return NSFetchIndexDescription(name: name, elements: elements ?? [])
    }
}
