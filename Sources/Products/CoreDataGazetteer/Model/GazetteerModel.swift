import CoreData
import Foundation

/// The model of gazetteers: places with an R-tree index of their coordinates, the names by which they are found, and
/// countries with their borders.
///
/// Places and names are joined by a number and not by a relationship, since batch insertions have none.
enum GazetteerModel {
    static let place = "GazetteerPlace"
    static let name = "GazetteerName"
    static let country = "GazetteerCountry"
    static let border = "GazetteerBorder"

    /// A fresh model.
    static func make() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let places = entity(
            place,
            [
                ("number", .integer64AttributeType), ("name", .stringAttributeType), ("admin1", .stringAttributeType),
                ("admin2", .stringAttributeType), ("country", .stringAttributeType),
                ("population", .integer64AttributeType), ("latitude", .doubleAttributeType),
                ("longitude", .doubleAttributeType),
            ])
        places.indexes = [
            index("place", of: places, ["latitude", "longitude"], .rTree), index("number", of: places, ["number"]),
        ]
        let names = entity(name, [("key", .stringAttributeType), ("place", .integer64AttributeType)])
        names.indexes = [index("key", of: names, ["key"])]
        let countries = entity(country, [("code", .stringAttributeType), ("name", .stringAttributeType)])
        let borders = entity(border, [("code", .stringAttributeType), ("points", .binaryDataAttributeType)])
        model.entities = [places, names, countries, borders]
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

    private static func index(
        _ name: String, of entity: NSEntityDescription, _ keys: [String],
        _ type: NSFetchIndexElementType = .binary
    ) -> NSFetchIndexDescription {
        let elements = keys.compactMap { entity.propertiesByName[$0] }.map {
            NSFetchIndexElementDescription(property: $0, collationType: type)
        }
        return NSFetchIndexDescription(name: name, elements: elements)
    }
}
