import CoreDataFoundation

/// Collects what a reader finds in a model's file, links it by name, and checks that it makes a model.
///
/// A reader adds entities, properties and links in any order, then calls `finish()` once.
struct ModelAssembly {
    /// The most properties of a model, an inherited one counted at every entity that inherits it.
    static let greatestPropertyCount = 2_000_000

    struct Link {
        let relationship: NSRelationshipDescription
        let destination: String
        let inverse: String?
        let line: Int?
    }

    /// Whether the file is a source, whose author is told more than the reader of a compiled model needs.
    let isSource: Bool

    private(set) var entities: [NSEntityDescription] = []
    private var parents: [(child: NSEntityDescription, parent: String, line: Int?)] = []
    private var links: [Link] = []
    private var lines: [ObjectIdentifier: Int] = [:]
    /// The declared properties of each entity by name.
    private(set) var ownProperties: [ObjectIdentifier: [String: NSPropertyDescription]] = [:]
    private(set) var entitiesByName: [String: NSEntityDescription] = [:]

    var configurations: [(name: String, members: [String], line: Int?)] = []
    var templates: [String: FetchRequestTemplate] = [:]
    var versionIdentifiers: Set<AnyHashable> = []
    var notes: [String] = []

    init(isSource: Bool) { self.isSource = isSource }

    mutating func add(_ entity: NSEntityDescription, parent: String?, line: Int?) throws {
        guard let name = entity.name, Self.isName(name) else {
            throw invalid("an entity has no name, or one with other characters than letters, digits and _", line)
        }
        guard entitiesByName.updateValue(entity, forKey: name) == nil else {
            throw invalid("there are two entities named '\(name)'", line)
        }
        entities.append(entity)
        lines[ObjectIdentifier(entity)] = line
        if let parent { parents.append((entity, parent, line)) }
    }

    mutating func note(line: Int?, of description: NSObject) { lines[ObjectIdentifier(description)] = line }

    mutating func link(_ link: Link) { links.append(link) }

    func line(of description: NSObject) -> Int? { lines[ObjectIdentifier(description)] }

    func invalid(_ cause: String, _ line: Int?, hint: String? = nil) -> ModelingError {
        ModelingError(.invalidModel, cause, line: line, hint: hint)
    }

    /// Letters, digits and underscores, not beginning with a digit, as Apple's editor allows.
    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.utf8.count <= 1024 else { return false }
        guard first == "_" || first.properties.isAlphabetic else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || scalar.properties.generalCategory == .nonspacingMark
        }
    }

    /// Links everything and checks the whole.
    ///
    /// - Throws: `ModelingError` `.invalidModel` with the line of the first contradiction.
    mutating func finish() throws {
        try linkParents()
        try checkInheritance()
        for entity in entities { ownProperties[ObjectIdentifier(entity)] = try checkedProperties(of: entity) }
        for entity in entities { try checkInherited(by: entity) }
        try linkRelationships()
        try checkInverses()
        for entity in entities { try checkGroups(of: entity) }
        try checkConfigurations()
    }

    private func linkParents() throws {
        var children: [String: [NSEntityDescription]] = [:]
        for (child, parent, line) in parents {
            guard entitiesByName[parent] != nil else {
                throw invalid("entity '\(child.name ?? "")' has the unknown parent '\(parent)'", line)
            }
            children[parent, default: []].append(child)
        }
        for (parent, subentities) in children { entitiesByName[parent]?.subentities = subentities }
    }

    private func linkRelationships() throws {
        for link in links {
            let name = link.relationship.qualifiedName
            guard let destination = entitiesByName[link.destination] else {
                throw invalid("relationship '\(name)' leads to the unknown entity '\(link.destination)'", link.line)
            }
            link.relationship.destinationEntity = destination
            guard let inverse = link.inverse else { continue }
            guard let other = relationship(inverse, of: destination) else {
                throw invalid(
                    "relationship '\(name)' has the inverse '\(link.destination).\(inverse)', which does not exist",
                    link.line)
            }
            link.relationship.linkedInverse = other
        }
    }

    private func checkInverses() throws {
        for link in links {
            guard let inverse = link.relationship.inverseRelationship, let owner = link.relationship.entity else {
                continue
            }
            let name = link.relationship.qualifiedName
            guard let target = inverse.destinationEntity,
                owner.isKindOf(entity: target) || target.isKindOf(entity: owner)
            else {
                throw invalid(
                    "the inverse '\(inverse.qualifiedName)' of '\(name)' leads to "
                        + "'\(inverse.destinationEntity?.name ?? "?")'", link.line)
            }
            guard let back = inverse.inverseRelationship, back === link.relationship else {
                throw invalid(
                    "'\(name)' names '\(inverse.qualifiedName)' its inverse, which names "
                        + "'\(inverse.inverseRelationship?.qualifiedName ?? "none")'", link.line)
            }
        }
    }

    /// The relationship of the name that an entity declares or inherits.
    private func relationship(_ name: String, of entity: NSEntityDescription) -> NSRelationshipDescription? {
        for owner in entity.lineage.reversed() {
            if let found = ownProperties[ObjectIdentifier(owner)]?[name] { return found as? NSRelationshipDescription }
        }
        return nil
    }
}
