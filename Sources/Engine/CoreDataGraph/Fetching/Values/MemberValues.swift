import CoreDataStore

/// The values of the members at the end of a path over a to-many relationship: `pets.age`, `pets.color.red`.
struct MemberValues {
    private let path: String
    private let entity: NSEntityDescription
    /// The attribute at the end, or the element of a composite one; nil if the path does not end in an attribute.
    private let attribute: NSAttributeDescription?
    /// Whether the path ends in `length`, the length of a text.
    private let isLength: Bool

    init(path: String, from entity: NSEntityDescription) {
        self.path = path
        self.entity = entity
        var owner: NSEntityDescription? = entity
        var steps = path.split(separator: ".").map(String.init)[...]
        var found: NSAttributeDescription?
        walk: while let step = steps.popFirst() {
            switch owner?.propertiesByName[step] {
            case let attribute as NSAttributeDescription:
                found = attribute
                break walk
            case let relationship as NSRelationshipDescription: owner = relationship.destinationEntity
            default: if !["self", "SELF"].contains(step) { owner = nil }
            }
        }
        let rest = Array(steps)
        if let composite = found as? NSCompositeAttributeDescription {
            let leaf = CompositeCoding.leaves(of: composite).first { rest.starts(with: $0.path) }
            attribute = leaf?.attribute
            isLength = leaf.map { rest.dropFirst($0.path.count).first == "length" } ?? false
        } else {
            attribute = found
            isLength = rest.first == "length"
        }
    }

    /// Checks that a function supports the values.
    ///
    /// - Throws: `NSCoreDataError` that names the expression, the reason and an alternative.
    func require(for function: ExpressionFunction) throws {
        let isMode = function == .mode
        guard let attribute else {
            throw refusal(function, "leads to no attribute of the members; name one behind it")
        }
        let kind = AttributeKind(attribute)
        guard kind != .transformable, kind != .composite, !attribute.allowsExternalBinaryDataStorage else {
            throw refusal(function, "has values that stores do not compare; name another attribute, or count in memory")
        }
        guard !isMode, !isLength, !Self.numbers.contains(kind) else { return }
        throw refusal(
            function, "has values that are neither numbers nor dates; name an attribute of such, or use 'mode:'")
    }

    private static let numbers: Set<AttributeKind> = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date,
    ]

    private func refusal(_ function: ExpressionFunction, _ reason: String) -> NSError {
        QueryRefusal.make(entity, key: "\(function.rawValue)(\(path))", reason: "'\(path)' " + reason)
    }
}
