import CoreDataFoundation

/// Collects what a reader finds in a model's file, and links it by name.
///
/// A reader adds entities, properties and links in any order, then calls `finish()` once, which checks and links them.
struct ModelAssembly {
    /// The largest number of properties of a model, an inherited one counted for every entity that inherits it.
    static let greatestPropertyCount = 2_000_000

    struct Link {
        let relationship: NSRelationshipDescription
        let destination: String
        let inverse: String?
        /// The name of the entity that declares the inverse, according to the file.
        var inverseEntity: String?
        /// Whether the file states that the relationship is to-many; nil if the file states only its maximum count.
        var isToMany: Bool?
    }

    /// Whether the file is a source, which more rules can refuse than a compiled model.
    let isSource: Bool

    private(set) var entities: [NSEntityDescription] = []
    /// The name of each entity's parent, by entity.
    private(set) var parents: [ObjectIdentifier: String] = [:]
    private(set) var links: [Link] = []
    private(set) var places: [ObjectIdentifier: SourcePlace] = [:]
    private(set) var entitiesByName: [String: NSEntityDescription] = [:]
    /// The declared properties of each entity by name.
    private var ownProperties: [ObjectIdentifier: [String: NSPropertyDescription]] = [:]

    var configurations: [(name: String, members: [String], place: SourcePlace?)] = []
    var composites: [(name: String, elements: [NSAttributeDescription], place: SourcePlace)] = []
    /// The fetch requests of a source, in the order of the source.
    var requests: [(name: String, template: FetchRequestTemplate, place: SourcePlace)] = []
    var templates: [String: FetchRequestTemplate] = [:]
    var versionIdentifiers: Set<AnyHashable> = []
    var notes: [String] = []

    init(isSource: Bool) { self.isSource = isSource }

    mutating func add(_ entity: NSEntityDescription, parent: String?, place: SourcePlace?) {
        entities.append(entity)
        places[ObjectIdentifier(entity)] = place
        parents[ObjectIdentifier(entity)] = parent
    }

    mutating func note(_ place: SourcePlace, of description: NSObject) { places[ObjectIdentifier(description)] = place }

    mutating func link(_ link: Link) { links.append(link) }

    func place(of description: NSObject) -> SourcePlace? { places[ObjectIdentifier(description)] }

    /// Whether a text is a valid name: letters, digits and underscores, not beginning with a digit, as in Apple's
    /// editor.
    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.utf8.count <= 1024 else { return false }
        guard first == "_" || first.properties.isAlphabetic else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || scalar.properties.generalCategory == .nonspacingMark
        }
    }

    /// Links entities and relationships by name. Names without an object stay unlinked; the rules refuse most of them
    /// earlier.
    ///
    /// - Throws: `ModelingError` `.limitExceeded` for a model with too many properties.
    mutating func link() throws {
        linkParents()
        try checkSize()
        for entity in entities { ownProperties[ObjectIdentifier(entity)] = entity.named(entity.ownProperties) }
        linkRelationships()
    }

    private mutating func linkParents() {
        entitiesByName = NSManagedObjectModel.named(entities)
        var children: [String: [NSEntityDescription]] = [:]
        for entity in entities {
            if let parent = parents[ObjectIdentifier(entity)] { children[parent, default: []].append(entity) }
        }
        for (parent, subentities) in children { entitiesByName[parent]?.subentities = subentities }
    }

    /// Bounds the number of properties of all entities, since every entity also lists those that it inherits.
    private func checkSize() throws {
        var total = 0
        for entity in entities {
            for ancestor in entity.lineage { total += ancestor.ownProperties.count }
            guard total <= Self.greatestPropertyCount else {
                throw ModelingError(
                    .limitExceeded, "the model has more than \(Self.greatestPropertyCount) properties",
                    line: place(of: entity)?.line)
            }
        }
    }

    private func linkRelationships() {
        for link in links {
            let destination = entitiesByName[link.destination]
            link.relationship.destinationEntity = destination
            link.relationship.linkedInverse = link.inverse.flatMap { name in
                destination.flatMap { relationship(name, of: $0) }
            }
        }
    }

    /// The relationship of a name that an entity declares or inherits.
    private func relationship(_ name: String, of entity: NSEntityDescription) -> NSRelationshipDescription? {
        for owner in entity.lineage.reversed() {
            if let found = ownProperties[ObjectIdentifier(owner)]?[name] { return found as? NSRelationshipDescription }
        }
        return nil
    }
}

extension NSManagedObjectModel {
    /// Sets the contents of a new model to what a reader has collected.
    func adopt(_ assembly: ModelAssembly) {
        entities = assembly.entities
        for (name, members, _) in assembly.configurations { entityNamesByConfiguration[name] = members }
        templatesByName = assembly.templates
        versionIdentifiers = assembly.versionIdentifiers
        notes = assembly.notes
    }
}
