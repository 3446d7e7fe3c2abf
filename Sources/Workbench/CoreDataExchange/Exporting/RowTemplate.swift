import CoreData

/// Describes how the rows of one entity are written: a list of cells, each with the fixed text that precedes its value.
struct RowTemplate {
    /// Where the text of a cell comes from.
    enum Source: UInt8 {
        /// The cell has only the fixed text, without a value.
        case nothing
        case objectID
        case attribute
        case toOne
        case toMany
        case count
        /// A property that is not stored, which has the same value in every object that comes from a store.
        case transient
    }

    struct Cell {
        let head: [UInt8]
        let source: Source
        var slot = 0
        var kind = AttributeKind.undefined
        /// Whether the value may be kept outside its row.
        var isExternal = false
        var property: NSPropertyDescription?
        /// The element of a composite attribute that is written, and the names that lead to it; nil for the complete
        /// value.
        var element: (kind: AttributeKind, path: [String])?
        /// The name in messages.
        var name = ""
    }

    let layout: EntityLayout
    let cells: [Cell]
    let tail: [UInt8]
    /// The relationships whose members are needed.
    let toMany: [NSRelationshipDescription]

    private init(_ layout: EntityLayout, _ cells: [Cell], tail: String) {
        self.layout = layout
        self.cells = cells
        self.tail = Array(tail.utf8)
        var relationships: [NSRelationshipDescription] = []
        for case let relationship as NSRelationshipDescription in cells.compactMap(\.property)
        where relationship.isToMany && !relationship.isTransient && !relationships.contains(relationship) {
            relationships.append(relationship)
        }
        toMany = relationships
    }

    /// A line with the ends of routes.
    static func csv(_ routes: [KeyRoute], of layout: EntityLayout) -> RowTemplate {
        let cells = routes.enumerated().map { number, route in
            let comma = number == 0 ? "" : ","
            if case .entityName = route.end {
                var name = ByteText()
                Array((layout.entity.name ?? "").utf8).withUnsafeBytes { name.append(field: $0) }
                return Cell(head: Array((comma + name.string).utf8), source: .nothing)
            }
            return cell(route, of: layout, head: comma)
        }
        return RowTemplate(layout, cells, tail: "\r\n")
    }

    /// A line with properties by their names; what the entity does not have is left empty.
    static func csv(columns: [String], of layout: EntityLayout) -> RowTemplate {
        let cells = columns.enumerated().map { number, name in
            let head = Array((number == 0 ? "" : ",").utf8)
            if let property = layout.entity.propertiesByName[name] {
                let relationship = property as? NSRelationshipDescription
                return cell(
                    property, of: layout, head: head,
                    source: relationship.map { $0.isToMany ? .toMany : .toOne } ?? .attribute)
            }
            if case .element(let leaf, let path, let composite)? = try? KeyRoute(name, from: layout.entity).end,
                layout.entity.attributesByName[composite.name] != nil, name.hasPrefix(composite.name + ".")
            {
                var cell = cell(composite, of: layout, head: head, source: .attribute)
                cell.element = (AttributeKind(leaf), path)
                return cell
            }
            if name == "objectID" { return Cell(head: head, source: .objectID) }
            guard name == "entity" else { return Cell(head: head, source: .nothing) }
            return Cell(head: head + Array((layout.entity.name ?? "").utf8), source: .nothing)
        }
        return RowTemplate(layout, cells, tail: "\r\n")
    }

    /// An object with the ends of routes, or with those properties of its entity that `choice` picks.
    static func json(
        _ routes: [KeyRoute]?, of layout: EntityLayout, where choice: (NSPropertyDescription) -> Bool = { _ in true }
    ) throws -> RowTemplate {
        let routes = try routes ?? KeyRoute.all(of: layout.entity, where: choice)
        var cells = [Cell(head: Array("{\"objectID\":\"".utf8), source: .objectID)]
        var head = "\",\"entity\":\(JSONWriter.line(.string(layout.entity.name ?? ""))),\"attributes\":{"
        for areRelationships in [false, true] {
            let shown = routes.filter { $0.isRelationship == areRelationships && (areRelationships || !$0.isIdentity) }
            let byName = Dictionary(shown.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
            let ordered = byName.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (number, (name, route)) in ordered.enumerated() {
                head += (number == 0 ? "" : ",") + JSONWriter.line(.string(name)) + ":"
                cells.append(cell(route, of: layout, head: head))
                head = ""
            }
            if !areRelationships { head += "},\"relationships\":{" }
        }
        return RowTemplate(layout, cells, tail: head + "}}")
    }

    private static func cell(_ route: KeyRoute, of layout: EntityLayout, head: String) -> Cell {
        let head = Array(head.utf8)
        switch route.end {
        case .objectID, .entityName: return Cell(head: head, source: .objectID)
        case .attribute(let attribute): return cell(attribute, of: layout, head: head, source: .attribute)
        // Key paths with more than one step are read from objects.
        case .element(_, _, let composite): return cell(composite, of: layout, head: head, source: .attribute)
        case .relationship(let relationship):
            return cell(relationship, of: layout, head: head, source: relationship.isToMany ? .toMany : .toOne)
        case .count(let relationship): return cell(relationship, of: layout, head: head, source: .count)
        }
    }

    private static func cell(
        _ property: NSPropertyDescription, of layout: EntityLayout, head: [UInt8], source: Source
    ) -> Cell {
        // The entity of the row, which may be one below that of the route, has a description of its own.
        let property = layout.entity.propertiesByName[property.name] ?? property
        var cell = Cell(head: head, source: property.isTransient ? .transient : source)
        cell.property = property
        cell.name = property.name
        switch layout.places[property.name] {
        case .attribute(let slot), .toOne(let slot): cell.slot = slot
        default: break
        }
        if let attribute = property as? NSAttributeDescription {
            cell.kind = AttributeKind(attribute)
            cell.isExternal = attribute.allowsExternalBinaryDataStorage
        }
        return cell
    }
}

extension KeyRoute {
    /// The attributes and relationships of an entity that `choice` picks.
    fileprivate static func all(
        of entity: NSEntityDescription, where choice: (NSPropertyDescription) -> Bool
    ) throws -> [KeyRoute] {
        let properties = Array(entity.attributesByName.values) + Array(entity.relationshipsByName.values)
        return try properties.filter(choice).map { try KeyRoute($0.name, from: entity) }
    }
}
