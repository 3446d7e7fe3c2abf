import CoreData

/// A request for a window of the objects in a relationship or a fetched property of one object.
struct RelatedObjects: Sendable {
    let owner: String
    let property: String
    let offset: Int
    let limit: Int
    /// Key paths to sort by; nil for the relationship's own order.
    let sort: String?

    /// The window, and the destination entity of the property.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownKey`.
    func found(_ reading: StoreReading) throws -> (members: RelationshipMembers, entity: NSEntityDescription) {
        let object = try reading.object(owner)
        let shown = reading.entity(of: object).propertiesByName
        guard let description = shown[property], let entity = Self.destination(description, reading) else {
            let others = shown.filter { !($0.value is NSAttributeDescription) }.keys
            throw InspectionError(
                .unknownKey, subject: PrintableText.escaped(property, limit: 80),
                cause: "'\(object.entity.name ?? "")' has no such relationship or fetched property",
                hint: NameSuggestion(for: property, in: others)?.question)
        }
        let order = try sort.map { try ObjectQuery(entity, sort: $0).withFixedOrder.sortDescriptors } ?? []
        let members = try RelationshipMembers(
            of: description, object, offset: offset, limit: limit, sort: order, reading)
        return (members, entity)
    }

    private static func destination(_ property: NSPropertyDescription, _ reading: StoreReading) -> NSEntityDescription?
    {
        switch property {
        case let relationship as NSRelationshipDescription: relationship.destinationEntity
        case let fetched as NSFetchedPropertyDescription:
            fetched.fetchRequestTemplate?.entityName.flatMap { reading.opened.model.entitiesByName[$0] }
        default: nil
        }
    }
}
