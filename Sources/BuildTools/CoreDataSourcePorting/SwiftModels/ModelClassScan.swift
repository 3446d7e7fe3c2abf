import CoreDataModelCompiler
import SwiftSyntax

/// The models that classes with `@Model` in Swift sources declare, as the library makes them of the compiled classes.
package struct ModelClassScan: @unchecked Sendable {
    /// A version: the classes of a `VersionedSchema`, or all classes that none of them names.
    package struct Version {
        /// The name of the type that is the `VersionedSchema`, or that of the first file.
        package let name: String
        package let model: NSManagedObjectModel
        /// The places of entities, `Hero`, and properties, `Hero.name`; with the model's file under an empty name.
        package let places: [String: PortFinding]

        /// The model as the text of an `.xcdatamodel`.
        package var document: String { ModelDocument.describing(model).document.text }
    }

    /// The versions, oldest first.
    package private(set) var versions: [Version] = []
    /// What the sources say and a model does not, and what could not be read.
    package private(set) var findings: [(finding: PortFinding, isOmission: Bool)] = []
    /// The number of findings of which each leaves a part of a model out.
    package var omissions: Int { findings.count(where: \.isOmission) }
    /// The number of Swift sources found.
    package let count: Int

    private var files: [(path: String, places: SourceLocationConverter)] = []

    /// Reads the Swift sources at paths of files or folders, including nested folders.
    ///
    /// - Throws: `ModelingError` `.unreadable` for a path where there is nothing.
    package init(of paths: [String]) throws {
        let search = try SourceSearch(paths)
        self = try DeepStack.run { ModelClassScan(search) }
    }

    private init(_ search: SourceSearch) {
        count = search.sources.count
        var types = DeclaredTypes()
        search.parse { source, file in
            types.add(source.tree, file: files.count)
            files.append((file, SourceLocationConverter(fileName: file, tree: source.tree)))
        } refuse: {
            findings.append(($0, true))
        }
        types.finish()
        let classes = types.order.compactMap { types[$0] }.filter(\.isModel).map { ModelClass($0, types) }
        for version in SchemaVersions(classes, types).versions { add(version) }
    }

    private mutating func add(_ version: SchemaVersions.Version) {
        var assembly = SourceModel(version)
        let model = assembly.make()
        var places: [String: PortFinding] = [:]
        for model in version.classes {
            places[model.name] = place(of: model.declaration.node, in: model, "")
            for variable in model.variables {
                places["\(model.name).\(variable.name)"] = place(of: variable.node, in: model, "")
            }
        }
        if let first = version.classes.first {
            places[""] = PortFinding(file: files[first.declaration.file].path, message: "")
        }
        for (owner, node, message, isOmission) in assembly.findings {
            findings.append((place(of: node, in: owner, message), isOmission))
        }
        let file = version.classes.first.map { files[$0.declaration.file].path } ?? ""
        let name = version.name ?? URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        versions.append(Version(name: name, model: model, places: places))
    }

    private func place(of node: some SyntaxProtocol, in model: ModelClass, _ message: String) -> PortFinding {
        let (path, places) = files[model.declaration.file]
        let place = node.startLocation(converter: places, afterLeadingTrivia: true)
        return PortFinding(file: path, line: place.line, column: place.column, message: message)
    }
}
