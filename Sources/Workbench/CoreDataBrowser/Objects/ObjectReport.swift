import CoreData
import CoreDataKinds

/// One object with all its properties, each value limited in size.
struct ObjectReport {
    /// The largest data and the longest text that are sent with the object; larger values take a separate request.
    private static let (greatestData, longestText) = (65_536, 65_536)
    private static let shownMembers = 20

    private let reading: StoreReading
    private let choices: KindChoices

    init(_ reading: StoreReading, _ choices: KindChoices) { (self.reading, self.choices) = (reading, choices) }

    func json(_ object: NSManagedObject) throws -> JSONValue {
        let entity = reading.entity(of: object)
        let relationships = entity.relationshipsByName.values.sorted { $0.name < $1.name }
        let fetched = entity.propertiesByName.values.compactMap { $0 as? NSFetchedPropertyDescription }
        return .object([
            ("id", .string(reading.name(of: object))), ("entity", .text(entity.name)),
            ("label", .string(reading.label(of: object))), ("uri", .string(object.objectID.uri)),
            ("version", .null),
            (
                "attributes",
                .array(reading.attributes(of: object).map { attribute($0.name, value: $0.reading, entity: entity) })
            ),
            ("relationships", .array(relationships.map { relationship($0, of: object) })),
            ("fetched", .array(fetched.sorted { $0.name < $1.name }.map { self.fetched($0, of: object) })),
            ("kinds", .array(try kinds(of: object, entity))),
        ])
    }

    /// The attributes that have a kind, with what their values say, and those of which a person has said that they have none; `reading`
    /// is missing for nil.
    private func kinds(of object: NSManagedObject, _ entity: NSEntityDescription) throws -> [JSONValue] {
        let dismissed = choices[entity.name].filter { key, kind in
            kind == KindParameters.none && (try? KeyRoute(key, from: entity)) != nil
        }
        return try RowKinds(reading.kinds(of: entity, choices), of: entity).json(reading.record(object))
            + dismissed.keys.sorted().map { KindUse.none($0).json }
    }

    private func attribute(_ name: String, value: PropertyReading, entity: NSEntityDescription) -> JSONValue {
        let kind = entity.attributesByName[name].map { AttributeKind($0) } ?? .undefined
        var members: [(String, JSONValue)] = [("name", .string(name)), ("type", .string("\(kind)"))]
        switch value {
        case .value(let data as Data, .binary), .value(let data as Data, .transformable):
            let isWhole = data.count <= Self.greatestData
            members.append(("value", isWhole ? value.json : .null))
            members.append(("text", .string("\(data.count) bytes")))
            members.append(("bytes", .count(data.count)))
            members.append(("media", .text(MediaKind.type(of: data))))
            if let color = ArchivedColor(data) { members.append(("color", color.json)) }
        case .unreadable(let reason):
            members += [("value", .null), ("text", .null), ("unreadable", .string(reason))]
        default:
            let text = value.text
            let isWhole = (text?.utf8.count ?? 0) <= Self.longestText
            let shown = ShownValue(value)
            members.append(("value", isWhole ? value.json : shown.json))
            members.append(("text", isWhole ? .text(text) : shown.json))
            if !isWhole { members.append(("cut", .bool(true))) }
            // The stored bytes replace a value whose transformer is missing; there is no field to enter them.
            if entity.attributesByName[name].map(StoredBytes.standsIn) == true { members.append(("data", .bool(true))) }
        }
        return .object(members)
    }

    private func relationship(_ relationship: NSRelationshipDescription, of object: NSManagedObject) -> JSONValue {
        .object(
            [
                ("name", .string(relationship.name)), ("destination", .text(relationship.destinationEntity?.name)),
                ("toMany", .bool(relationship.isToMany)), ("ordered", .bool(relationship.isOrdered)),
            ] + members(of: relationship, object, isToMany: relationship.isToMany))
    }

    private func fetched(_ property: NSFetchedPropertyDescription, of object: NSManagedObject) -> JSONValue {
        .object(
            [
                ("name", .string(property.name)), ("destination", .text(property.fetchRequestTemplate?.entityName)),
            ] + members(of: property, object, isToMany: true))
    }

    /// The `target` of a to-one relationship, or the `count` and first `members` of a to-many one; `unreadable` says
    /// why these are missing.
    private func members(
        of property: NSPropertyDescription, _ object: NSManagedObject, isToMany: Bool
    ) -> [(String, JSONValue)] {
        do {
            let found = try RelationshipMembers(of: property, object, offset: 0, limit: Self.shownMembers, reading)
            let links = found.ids.map { reading.link(to: reading.context.object(with: $0)) }
            return [
                ("target", isToMany ? .null : links.first ?? .null), ("count", isToMany ? .count(found.total) : .null),
                ("members", .array(isToMany ? links : [])),
            ]
        } catch {
            let reason = (error as? BrowserFailure)?.reason ?? ErrorText.line(for: error)
            return [("target", .null), ("count", .null), ("members", .array([])), ("unreadable", .string(reason))]
        }
    }
}
