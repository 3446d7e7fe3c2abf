import CoreDataStore

/// A property of the model that a predicate compares with something.
package struct ComparedProperty {
    /// The attribute or object that is compared.
    package enum Content {
        case attribute(NSAttributeDescription)
        /// An object of the entity, or of a sub-entity.
        case record(NSEntityDescription)
    }

    package let content: Content
    /// The entity at which the path begins, for messages.
    package let entity: NSEntityDescription
    /// The path as in the predicate; empty for the object itself.
    package let path: String
    /// Whether the path has many values: it leads through a to-many relationship.
    package let isCollection: Bool

    private init(_ content: Content, entity: NSEntityDescription, path: String, isCollection: Bool) {
        self.content = content
        self.entity = entity
        self.path = path
        self.isCollection = isCollection
    }

    /// An object of an entity.
    init(record entity: NSEntityDescription) {
        self.init(.record(entity), entity: entity, path: "", isCollection: false)
    }

    /// The property at the end of a path from an entity; nil for a count and the like, and for names that the entity
    /// lacks.
    init?(_ path: String, from start: NSEntityDescription) {
        var owner = start
        var isCollection = false
        var steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        while let step = steps.popFirst() {
            switch step {
            case "self", "SELF", "objectID": continue
            case "@min", "@max": isCollection = false
            case "@unionOfObjects", "@distinctUnionOfObjects": continue
            case _ where step.hasPrefix("("):
                guard let subentity = SubentityStep.entity(step, from: owner) else { return nil }
                owner = subentity
            default:
                switch owner.propertiesByName[step] {
                case let attribute as NSAttributeDescription:
                    guard let leaf = Self.leaf(of: attribute, steps) else { return nil }
                    self.init(.attribute(leaf), entity: start, path: path, isCollection: isCollection)
                    return
                case let relationship as NSRelationshipDescription:
                    guard let destination = relationship.destinationEntity else { return nil }
                    owner = destination
                    isCollection = isCollection || relationship.isToMany
                default: return nil
                }
            }
        }
        self.init(.record(owner), entity: start, path: path, isCollection: isCollection)
    }

    /// The attribute with the value: the attribute itself or an element of a composite one; nil if the path continues
    /// behind it.
    private static func leaf(
        of attribute: NSAttributeDescription, _ rest: ArraySlice<String>
    ) -> NSAttributeDescription? {
        let rest = rest.filter { $0 != "self" && $0 != "SELF" }
        if attribute.attributeType == .compositeAttributeType {
            return CompositeCoding.leaves(of: attribute).first { $0.path == rest }?.attribute
        }
        return rest.isEmpty ? attribute : nil
    }

    /// The name of the property in messages.
    package var name: String { path.isEmpty ? entity.name ?? "" : "\(entity.name ?? "").\(path)" }

    /// The kind of the values; nil for an attribute whose values may be of any kind.
    package var kind: ComparedKind? {
        switch content {
        case .attribute(let attribute): ComparedKind(attribute)
        case .record: .record
        }
    }
}

/// The kinds of values: values of different kinds are neither equal nor ordered.
package enum ComparedKind: String, Sendable {
    case number = "a number"
    case text = "a text"
    case date = "a date"
    case data = "data"
    case uuid = "a UUID"
    case uri = "a URI"
    case record = "an object"

    /// Nil for attributes whose values may be of any kind.
    init?(_ attribute: NSAttributeDescription) {
        switch AttributeKind(attribute) {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: self = .number
        case .string: self = .text
        case .date: self = .date
        case .binary: self = .data
        case .uuid: self = .uuid
        case .uri: self = .uri
        case .transformable, .undefined, .objectID, .composite: return nil
        }
    }

    /// Nil for nil, and for a value of none of the kinds.
    init?(value: Any) {
        let type = Swift.type(of: value)
        // Checks the usual types first, since casts are slower and lists may be long.
        if type == String.self {
            self = .text
        } else if type == Int.self || type == Double.self || type == Bool.self {
            self = .number
        } else if type == Date.self {
            self = .date
        } else if value is any RecordReference {
            self = .record
        } else if ExactNumber(value) != nil {
            self = .number
        } else {
            self.init(object: value)
        }
    }

    private init?(object value: Any) {
        switch value {
        case is String: self = .text
        case is Date: self = .date
        case is Data: self = .data
        case is UUID: self = .uuid
        case is URL: self = .uri
        default: return nil
        }
    }

    /// Whether the static type of a list guarantees that all its values are of the kind.
    func isOnlyKind(in list: Any) -> Bool {
        let type = Swift.type(of: list)
        return switch self {
        case .number: type == [Int].self || type == [Int64].self || type == [Double].self
        case .text: type == [String].self || type == Set<String>.self
        case .date: type == [Date].self
        case .data: type == [Data].self
        case .uuid: type == [UUID].self
        case .uri: type == [URL].self
        case .record: type == [NSManagedObjectID].self || type == [NSManagedObject].self
        }
    }
}
