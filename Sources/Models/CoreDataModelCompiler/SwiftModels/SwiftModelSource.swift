import CoreDataModeling

/// The source of a model as classes with `@Model`, and what such a source cannot say of the model.
///
/// The schema of the classes has the version hashes of the model, except for entities of which a loss says otherwise.
/// Optional properties are optional in Swift, to-many relationships too, since the hashes contain it.
package struct SwiftModelSource {
    /// The source.
    package let text: String
    /// What it does not say, in the order of the entities' names.
    package let losses: [SwiftModelLoss]

    /// Writes a model; `title` says in a comment where it is from.
    package init(of model: NSManagedObjectModel, title: String) {
        var losses: [SwiftModelLoss] = []
        var source = SourceText(head: [title, "Written by 'coredata model convert'."])
        source.add("import Foundation", "import SwiftData")
        let entities = model.entities.sorted { ($0.depth, $0.name ?? "") < ($1.depth, $1.name ?? "") }
        let sayable = entities.filter { entity in
            guard let name = entity.name, SwiftName.isIdentifier(name) else {
                losses.append(
                    SwiftModelLoss(
                        entity: entity.name, "has a name that no class can have", remedy: "rename it in a new version",
                        changesHash: true))
                return false
            }
            return true
        }
        let names = SwiftTypeNames(classes: Set(sayable.compactMap(\.name)))
        for entity in sayable {
            var writer = SwiftModelClass(entity, names)
            source.add("")
            source.add(writer.lines())
            losses += writer.losses
        }
        losses += Self.losses(ofModel: model)
        (text, self.losses) = (source.text, losses)
    }

    private static func losses(ofModel model: NSManagedObjectModel) -> [SwiftModelLoss] {
        let requests = model.templatesByName.keys.sorted().map {
            SwiftModelLoss(
                entity: nil, "has the fetch request '\($0)'",
                remedy: "write it as a function that makes a FetchDescriptor")
        }
        let configurations = model.configurations.filter {
            $0 != NSManagedObjectModel.defaultConfigurationName && $0 != "default"
        }
        return requests
            + configurations.sorted().map {
                SwiftModelLoss(
                    entity: nil, "has the configuration '\($0)'",
                    remedy: "give its classes to a ModelConfiguration(schema:) of this name")
            }
    }
}

/// The names of types as generated sources write them: with their module where a class of the model has the same name.
struct SwiftTypeNames {
    /// The names of the model's classes.
    let classes: Set<String>

    private static let modules: [String: String] = [
        "Int": "Swift", "Int16": "Swift", "Int32": "Swift", "Double": "Swift", "Float": "Swift", "Bool": "Swift",
        "String": "Swift", "Codable": "Swift", "RawRepresentable": "Swift", "Date": "Foundation", "Data": "Foundation",
        "UUID": "Foundation", "URL": "Foundation", "Decimal": "Foundation", "NSObject": "Foundation",
    ]

    /// The name of a type of the standard library or Foundation.
    func plain(_ name: String) -> String {
        guard classes.contains(name), let module = Self.modules[name] else { return name }
        return "\(module).\(name)"
    }

    /// Whether a type that the source declares may have a name.
    func isFree(_ name: String) -> Bool { !classes.contains(name) && Self.modules[name] == nil }

    /// A macro with `@`: with its module where a class of the model has the same name.
    func macro(_ name: String) -> String { classes.contains(name) ? "@SwiftData.\(name)" : "@\(name)" }
}
