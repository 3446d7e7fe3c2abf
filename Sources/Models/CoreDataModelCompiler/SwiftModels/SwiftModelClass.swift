import CoreDataModeling

/// Writes one entity as a class with `@Model`.
struct SwiftModelClass {
    let entity: NSEntityDescription
    let names: SwiftTypeNames
    let name: String
    private(set) var losses: [SwiftModelLoss] = []
    /// The types that the class declares for its composite attributes, by name, in the order of their use.
    var composites: [(name: String, lines: [String])] = []

    init(_ entity: NSEntityDescription, _ names: SwiftTypeNames) {
        (self.entity, self.names, name) = (entity, names, entity.name ?? "")
    }

    mutating func lose(
        _ property: NSPropertyDescription?, _ message: String, remedy: String, changesHash: Bool = false
    ) {
        losses.append(
            SwiftModelLoss(
                entity: name, property: property?.name, message, remedy: remedy, changesHash: changesHash))
    }

    /// The lines of the class.
    mutating func lines() -> [String] {
        checkEntity()
        let members = entity.ownProperties.compactMap { member(of: $0) }
        let parent = entity.superentity?.name.map { ": \(SwiftName.escaped($0))" } ?? ""
        let isFinal = entity.subentities.isEmpty ? "final " : ""
        var body = annotations(members.map(\.key))
        body += members.map(\.line)
        for composite in composites { body += [""] + composite.lines }
        body += [""] + initializer(members)
        if body.first == "" { body.removeFirst() }
        let systems = parent.isEmpty ? [] : ["@available(iOS 26, macOS 26, tvOS 26, visionOS 26, watchOS 26, *)"]
        return systems + [names.macro("Model"), "\(isFinal)class \(SwiftName.escaped(name))\(parent) {"]
            + body.map { $0.isEmpty ? "" : "    \($0)" } + ["}"]
    }

    // MARK: Members

    /// A persisted variable of the class.
    struct Member {
        let key: String
        let type: String
        /// The declaration.
        let line: String
        /// Whether an initializer has to set it.
        let isRequired: Bool
    }

    private mutating func member(of property: NSPropertyDescription) -> Member? {
        guard SwiftName.isIdentifier(property.name) else {
            lose(
                property, "has a name that no variable can have", remedy: "rename it in a new version",
                changesHash: !property.isTransient)
            return nil
        }
        if !property.name.hasPrefix("_"), entity.propertiesByName["_" + property.name] != nil {
            lose(
                property, "has the name of another property without its underscore",
                remedy: "rename one of both in a new version", changesHash: !property.isTransient)
            return nil
        }
        switch property {
        case let attribute as NSAttributeDescription: return member(ofAttribute: attribute)
        case let relationship as NSRelationshipDescription: return member(ofRelationship: relationship)
        default:
            lose(property, "is a fetched property", remedy: "fetch with a FetchDescriptor where it is used")
            return nil
        }
    }

    private mutating func checkEntity() {
        if entity.isAbstract {
            lose(
                nil, "is abstract", remedy: "make it concrete in a new version, which migrates by inference",
                changesHash: true)
        }
        if entity.versionHashModifier != nil {
            lose(nil, "has a hash modifier", remedy: "give one to a property of a new version", changesHash: true)
        }
        if entity.declaredRenamingIdentifier.map({ $0 != name }) == true {
            lose(
                nil, "had another name in an older version",
                remedy: "migrate stores of that version with the Core Data model first")
        }
        for property in entity.ownProperties where !property.validationRules.isEmpty {
            lose(property, "has limits for its values", remedy: "check the values where they are set")
        }
    }

    // MARK: Indexes and constraints

    private mutating func annotations(_ members: [String]) -> [String] {
        let groups = entity.uniquenessConstraints.map { $0.compactMap { $0 as? String } }
            .filter { $0.count > 1 || entity.relationshipsByName[$0.first ?? ""] != nil }
        var lines: [String] = []
        if !groups.isEmpty { lines.append("#Unique<\(name)>(\(groups.map(paths).joined(separator: ", ")))") }
        let indexes = entity.indexes.compactMap { index($0, members) }
        if !indexes.isEmpty {
            let isPlain = !indexes.contains(where: \.isTree)
            let list = indexes.map { isPlain ? $0.paths : ($0.isTree ? ".rtree" : ".binary") + "(\($0.paths))" }
            lines.append("#Index<\(name)>(\(list.joined(separator: ", ")))")
        }
        return lines.isEmpty ? [] : lines + [""]
    }

    private func paths(_ keys: [String]) -> String {
        "[" + keys.map { "\\.\(SwiftName.escaped($0))" }.joined(separator: ", ") + "]"
    }

    private mutating func index(
        _ index: NSFetchIndexDescription, _ members: [String]
    ) -> (isTree: Bool, paths: String)? {
        let keys = index.elements.compactMap(\.propertyName)
        guard index.partialIndexPredicateFormat == nil, index.partialIndexPredicate == nil,
            keys.count == index.elements.count, keys.allSatisfy(members.contains), !keys.isEmpty
        else {
            lose(
                nil, "has the index '\(index.name)' with an expression, a condition or a property that the class lacks",
                remedy: "make it with SQL, or index a stored property")
            return nil
        }
        if index.elements.contains(where: { !$0.isAscending }) {
            lose(
                nil, "has the descending index '\(index.name)'",
                remedy: "none is needed: an index is read in both directions")
        }
        return (index.elements.contains { $0.collationType == .rTree }, paths(keys))
    }

    // MARK: Initializer

    /// The members that an initializer has to set, with those of the classes that this one inherits from.
    private func requiredMembers(_ own: [Member]) -> (inherited: [Member], own: [Member]) {
        guard let parent = entity.superentity else { return ([], own.filter(\.isRequired)) }
        var writer = SwiftModelClass(parent, names)
        let above = writer.requiredMembers(parent.ownProperties.compactMap { writer.member(of: $0) })
        return (above.inherited + above.own, own.filter(\.isRequired))
    }

    private func initializer(_ members: [Member]) -> [String] {
        let (inherited, own) = requiredMembers(members)
        let parameters = (inherited + own).map { "\(SwiftName.escaped($0.key)): \($0.type)" }
        var lines = own.map { "self.\($0.key) = \(SwiftName.escaped($0.key))" }
        if entity.superentity != nil {
            lines.append(
                "super.init(\(inherited.map { "\($0.key): \(SwiftName.escaped($0.key))" }.joined(separator: ", ")))")
        }
        let overriding = entity.superentity != nil && own.isEmpty ? "override " : ""
        let head = "\(overriding)init(\(parameters.joined(separator: ", ")))"
        guard !lines.isEmpty else { return [head + " {}"] }
        return [head + " {"] + lines.map { "    " + $0 } + ["}"]
    }
}
