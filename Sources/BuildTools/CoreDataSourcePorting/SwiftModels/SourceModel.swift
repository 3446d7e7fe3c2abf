import CoreDataModelCompiler
import SwiftSyntax

/// Makes the model of the classes of a version, as `Schema` makes it of the compiled classes.
struct SourceModel {
    /// A remark about a class: the class, the place in it, the text, and whether a part of the model is left out.
    typealias Finding = (owner: ModelClass, node: Syntax, message: String, isOmission: Bool)

    private let version: SchemaVersions.Version
    private let classes: [String: ModelClass]
    private(set) var findings: [Finding] = []

    init(_ version: SchemaVersions.Version) {
        self.version = version
        classes = Dictionary(version.classes.map { ($0.name, $0) }) { first, _ in first }
        for model in version.classes where classes[model.name]?.path != model.path {
            findings.append(
                (
                    model, Syntax(model.declaration.node),
                    "another model of the schema is called '\(model.name)': name the models of each version in a "
                        + "VersionedSchema", true
                ))
        }
    }

    mutating func make() -> NSManagedObjectModel {
        var made: [String: NSEntityDescription] = [:]
        for model in classes.values.sorted(by: { $0.name < $1.name }) { made[model.name] = entity(of: model) }
        for model in classes.values {
            guard let entity = made[model.name], let parent = model.parent?.last.flatMap({ made[$0] }) else { continue }
            parent.subentities.append(entity)
        }
        connect(made)
        for model in classes.values { addAnnotations(of: model, made) }
        let description = NSManagedObjectModel()
        description.entities = made.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
        description.versionIdentifiers = [version.number.map(String.init).joined(separator: ".")]
        return description
    }

    private mutating func report(
        _ variable: ModelClass.Variable, of model: ModelClass, _ message: String, isOmission: Bool
    ) {
        findings.append((model, Syntax(variable.node), "'\(model.name).\(variable.name)' \(message)", isOmission))
    }

    // MARK: Entities

    private mutating func entity(of model: ModelClass) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = model.name
        entity.managedObjectClassName = model.name
        entity.properties = model.variables.compactMap { property(of: $0, in: model) }
        return entity
    }

    private mutating func property(
        of variable: ModelClass.Variable, in model: ModelClass
    ) -> NSPropertyDescription? {
        for value in variable.annotation?.hidden ?? [] {
            report(
                variable, of: model,
                "has the argument \(value.trimmedDescription), whose value sources do not show: write a literal",
                isOmission: true)
        }
        let made: NSPropertyDescription
        switch variable.type.kind {
        case .toOne, .toMany: made = relationship(variable)
        case .unknown(let reason) where variable.annotation?.transformer == nil && !isEncoded(variable):
            report(variable, of: model, "is left out: \(reason)", isOmission: true)
            return nil
        default: made = attribute(variable, in: model)
        }
        made.name = variable.name
        made.isOptional = variable.type.isOptional
        made.renamingIdentifier = variable.annotation?.originalName
        made.versionHashModifier = variable.annotation?.hashModifier
        return made
    }

    private func isEncoded(_ variable: ModelClass.Variable) -> Bool {
        variable.annotation?.options.contains("codable") ?? false
    }

    // MARK: Attributes

    private mutating func attribute(
        _ variable: ModelClass.Variable, in model: ModelClass
    ) -> NSAttributeDescription {
        let made = SourceAttribute.make(variable)
        if let value = variable.value, value.kind != .nilLiteralExpr {
            made.defaultValue = SourceValue.value(of: value, as: made.attributeType)
            if made.defaultValue == nil, !["[]", "[:]"].contains(value.trimmedDescription) {
                report(
                    variable, of: model,
                    "begins with \(value.trimmedDescription), which a model cannot say: set it in awakeFromInsert",
                    isOmission: false)
            }
        }
        let options = variable.annotation?.options ?? []
        made.isTransient = options.contains("ephemeral")
        made.allowsExternalBinaryDataStorage = options.contains("externalStorage")
        made.preservesValueInHistoryOnDeletion = options.contains("preserveValueOnDeletion")
        made.allowsCloudEncryption = options.contains("allowsCloudEncryption")
        made.isIndexedBySpotlight = options.contains("spotlight")
        return made
    }

    // MARK: Relationships

    private func relationship(_ variable: ModelClass.Variable) -> NSRelationshipDescription {
        let made = NSRelationshipDescription()
        let rules = variable.annotation
        made.minCount = rules?.minimum ?? 0
        if case .toMany = variable.type.kind { made.maxCount = rules?.maximum ?? 0 } else { made.maxCount = 1 }
        switch rules?.deleteRule {
        case "cascade": made.deleteRule = .cascadeDeleteRule
        case "deny": made.deleteRule = .denyDeleteRule
        case "noAction": made.deleteRule = .noActionDeleteRule
        default: made.deleteRule = .nullifyDeleteRule
        }
        return made
    }

    private mutating func connect(_ made: [String: NSEntityDescription]) {
        var links = SourceInverses(Array(classes.values))
        links.resolve()
        for (model, variable) in links.unmatched {
            report(
                variable, of: model,
                "names the inverse '\(variable.annotation?.inverse ?? "")', which does not lead back to '\(model.name)'",
                isOmission: true)
        }
        for model in classes.values {
            for variable in model.variables {
                guard let property = made[model.name]?.relationshipsByName[variable.name],
                    let target = variable.type.kind.target?.last, let destination = made[target]
                else { continue }
                property.destinationEntity = destination
                if let inverse = links.inverse(of: variable.name, in: model.name) {
                    property.inverseRelationship = destination.relationshipsByName[inverse]
                }
            }
        }
    }

    private mutating func addAnnotations(of model: ModelClass, _ made: [String: NSEntityDescription]) {
        guard let entity = made[model.name] else { return }
        let unique = model.variables.filter { $0.annotation?.options.contains("unique") ?? false }.map(\.name)
        entity.uniquenessConstraints =
            unique.map { [$0] } + model.constraints.filter { $0.count > 1 || !unique.contains($0[0]) }
        entity.indexes = model.indexes.map { isTree, names in
            NSFetchIndexDescription(
                name: "SwiftDataIndexOn\(isTree ? "RTree" : "Binary")" + names.joined(),
                elements: names.compactMap { entity.propertiesByName[$0] }
                    .map { NSFetchIndexElementDescription(property: $0, collationType: isTree ? .rTree : .binary) })
        }
    }
}

extension SourceKind {
    /// The class that a relationship leads to.
    var target: [String]? {
        switch self {
        case .toOne(let path), .toMany(let path): path
        default: nil
        }
    }
}
