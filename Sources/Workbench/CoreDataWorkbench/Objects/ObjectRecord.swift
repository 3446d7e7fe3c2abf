import CoreData

/// Reads the values of one object. Used on the queue of the object's context, before the next object is read.
package struct ObjectRecord {
    package let object: NSManagedObject
    package let reader: PropertyReader

    package init(object: NSManagedObject, reader: PropertyReader) {
        self.object = object
        self.reader = reader
    }

    package var id: NSManagedObjectID { object.objectID }

    /// The value at the end of a route.
    package func read(_ route: KeyRoute) -> PropertyReading { route.read(object, with: reader) }

    /// The value of a property of the object.
    package func reading(of property: NSPropertyDescription) -> PropertyReading { reader.read(property, of: object) }

    /// The value of each attribute, in the order of their names.
    package var attributes: [(name: String, reading: PropertyReading)] { readings(of: object.entity.attributesByName) }

    /// The value of each relationship, in the order of their names.
    package var relationships: [(name: String, reading: PropertyReading)] {
        readings(of: object.entity.relationshipsByName)
    }

    /// `{"objectID", "entity", "attributes", "relationships"}`, with all properties or those at the ends of paths.
    ///
    /// `failures` is called for each value that cannot be read, with its place and the reason.
    package func json(_ routes: [KeyRoute]? = nil, failures: (String, String) -> Void = { _, _ in }) -> JSONValue {
        let attributes: [(name: String, reading: PropertyReading)]
        let relationships: [(name: String, reading: PropertyReading)]
        if let routes {
            attributes = routes.filter { !$0.isRelationship && !$0.isIdentity }.map { ($0.text, read($0)) }
            relationships = routes.filter(\.isRelationship).map { ($0.text, read($0)) }
        } else {
            (attributes, relationships) = (self.attributes, self.relationships)
        }
        for case (let name, .unreadable(let reason)) in attributes + relationships {
            failures("\(id.shortText) \(name)", reason)
        }
        return .object([
            ("objectID", .string(id.uri)), ("entity", .string(object.entity.name ?? "")),
            ("attributes", Self.members(attributes)), ("relationships", Self.members(relationships)),
        ])
    }

    private func readings(of properties: [String: some NSPropertyDescription]) -> [(
        name: String, reading: PropertyReading
    )] {
        properties.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ($0.key, reader.read($0.value, of: object)) }
    }

    private static func members(_ readings: [(name: String, reading: PropertyReading)]) -> JSONValue {
        .sorted(Dictionary(readings.map { ($0.name, $0.reading.json) }, uniquingKeysWith: { first, _ in first }))
    }
}
