import CoreDataFoundation

/// An outline with tables to look up entities and properties by name; entities are identified by their number.
///
/// Invariant: no chain of parents is circular or longer than `NSEntityDescription.greatestDepth`; such chains are cut.
struct ModelScope {
    let outline: ModelOutline
    /// The first entity of each name.
    private let entityNumbers: [String: Int]
    /// The parent of each entity; nil also if the parent is unknown or the chain is cut there.
    private(set) var parents: [Int?]
    private(set) var children: [Int]
    private let propertyNumbers: [[String: Int]]
    /// The entities that declare a property, by the property's name.
    private let owners: [String: [Int]]
    /// One entity of each cycle of inheritance.
    private(set) var circles: [Int] = []
    /// The entities at which a chain of parents becomes too long.
    private(set) var tooDeep: [Int] = []

    init(_ outline: ModelOutline) {
        self.outline = outline
        let names = outline.entities.enumerated().map { ($0.element.name, $0.offset) }
        entityNumbers = Dictionary(names, uniquingKeysWith: { first, _ in first })
        propertyNumbers = outline.entities.map { entity in
            let names = entity.properties.enumerated().map { ($0.element.name, $0.offset) }
            return Dictionary(names, uniquingKeysWith: { first, _ in first })
        }
        var owners: [String: [Int]] = [:]
        for (number, entity) in outline.entities.enumerated() {
            for property in entity.properties { owners[property.name, default: []].append(number) }
        }
        self.owners = owners
        let numbers = entityNumbers
        parents = outline.entities.map { entity in entity.parent.flatMap { numbers[$0] } }
        children = [Int](repeating: 0, count: outline.entities.count)
        for case let parent? in parents { children[parent] += 1 }
        cutLines()
    }

    /// Cuts cycles and chains that are too long.
    private mutating func cutLines() {
        var depths = [Int](repeating: 0, count: parents.count)
        for start in parents.indices where depths[start] == 0 {
            var path: [Int] = []
            var onPath = Set<Int>()
            var next: Int? = start
            while let current = next, depths[current] == 0 {
                guard onPath.insert(current).inserted else {
                    circles.append(current)
                    parents[path[path.count - 1]] = nil
                    next = nil
                    break
                }
                path.append(current)
                next = parents[current]
            }
            var depth = next.map { depths[$0] } ?? 0
            for current in path.reversed() {
                depth += 1
                if depth > NSEntityDescription.greatestDepth {
                    tooDeep.append(current)
                    parents[current] = nil
                    depth = 1
                }
                depths[current] = depth
            }
        }
    }

    // MARK: Entities

    func number(of name: String?) -> Int? { name.flatMap { entityNumbers[$0] } }

    /// The entity and its ancestors, starting with the entity.
    func lineage(of entity: Int) -> [Int] {
        var line = [entity]
        while let parent = parents[line[line.count - 1]] { line.append(parent) }
        return line
    }

    func isKind(_ entity: Int, of other: Int) -> Bool {
        var next: Int? = entity
        while let current = next {
            if current == other { return true }
            next = parents[current]
        }
        return false
    }

    // MARK: Properties

    /// The property of a name that an entity itself declares.
    func ownProperty(_ name: String, of entity: Int) -> ModelOutline.Property? {
        propertyNumbers[entity][name].map { outline.entities[entity].properties[$0] }
    }

    /// The property of a name that an entity declares or inherits, and the entity that declares it.
    func property(_ name: String, of entity: Int) -> (owner: Int, property: ModelOutline.Property)? {
        var next: Int? = entity
        while let current = next {
            if let property = ownProperty(name, of: current) { return (current, property) }
            next = parents[current]
        }
        return nil
    }

    /// The object to which a path of a constraint or an index leads.
    enum PathEnd {
        case property(ModelOutline.Property)
        /// An element of a composite attribute, which may be nested; a composite attribute itself is a `property`.
        case element(NSAttributeDescription)
        /// A name that the composite does not have, with the paths of the elements that it has.
        case unknownElement(known: [String])
        case unknownProperty
    }

    /// The property, or the element of a composite attribute, to which a dotted path leads.
    func end(of path: String, of entity: Int) -> PathEnd {
        if let (_, property) = property(path, of: entity) { return .property(property) }
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count > 1, let composite = property(names[0], of: entity)?.property.attribute,
            composite is NSCompositeAttributeDescription
        else { return .unknownProperty }
        var end = composite
        for (index, name) in names.enumerated().dropFirst() where index <= CompositeRules.greatestDepth {
            let elements = elements(of: end)
            guard let next = elements.first(where: { $0.name == name }) else {
                let prefix = names[..<index].joined(separator: ".")
                return .unknownElement(known: elements.map { "\(prefix).\($0.name)" })
            }
            end = next
        }
        return .element(end)
    }

    /// The elements of a composite attribute; in a source those of the composite that the attribute names.
    private func elements(of attribute: NSAttributeDescription) -> [NSAttributeDescription] {
        guard let composite = attribute as? NSCompositeAttributeDescription else { return [] }
        guard outline.isSource else { return composite.elements }
        let named = outline.composites.first { $0.name == composite.compositeName }
        return named?.elements.compactMap(\.attribute) ?? []
    }

    /// Whether a descendant of an entity declares a property; only the first 100 entities with such a property are
    /// checked.
    func isInDescendant(_ name: String, of entity: Int) -> Bool {
        guard children[entity] > 0 else { return false }
        return (owners[name] ?? []).prefix(100).contains { isKind($0, of: entity) }
    }

    /// The names of all properties that an entity declares or inherits.
    func propertyNames(of entity: Int) -> [String] {
        lineage(of: entity).flatMap { outline.entities[$0].properties.map(\.name) }
    }

    /// The inverse of a relationship; nil if the relationship names none or one that does not exist.
    func inverse(of property: ModelOutline.Property) -> (owner: Int, property: ModelOutline.Property)? {
        guard let name = property.inverse, let target = number(of: property.destination),
            let found = self.property(name, of: target), found.property.relationship != nil
        else { return nil }
        return found
    }
}
