import CoreDataModeling

/// Applies edits to the document of a model source, one after the other.
///
/// Between edits the document need not be a valid model: `ModelEditSession` checks it after all edits of a step.
package struct ModelEditor: Sendable {
    package private(set) var document: ModelDocument
    /// Sentences about changes that edits made elsewhere in the source, and about texts that could not be updated.
    package private(set) var notes: [String] = []

    package init(_ document: ModelDocument) { self.document = document }

    /// Changes the document; all changes use this method.
    mutating func change<Result>(_ body: (inout ModelDocument) throws -> Result) rethrows -> Result {
        try body(&document)
    }

    mutating func note(_ text: String) { notes.append(text) }

    /// Checks that an entity exists.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem` if it does not.
    func requireEntity(_ name: String) throws { _ = try document.requiredPath(to: .entity(name)) }

    /// The property with a name that an entity declares or inherits; the item names the entity that declares it.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem`.
    func requiredProperty(
        _ name: String, of entity: String, _ names: DocumentNames
    ) throws -> (item: SourceItem, property: DocumentNames.Property) {
        guard let (owner, property) = names.property(name, of: .entity(entity)), case .entity(let declarer) = owner
        else {
            let near = NameSuggestion(for: name, in: names.propertyNames(of: entity))?.question
            throw ModelEditError(
                .unknownItem, subject: "\(entity).\(name)",
                cause: "'\(entity)' declares and inherits no property '\(name)'", hint: near
            )
        }
        return (.property(name, entity: declarer), property)
    }

    /// Checks that a path for a constraint or an index exists: a property, or an element of a composite attribute.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem` if it does not.
    func requireIndexed(_ path: String, of entity: String, _ names: DocumentNames) throws {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let first = try requiredProperty(keys[0], of: entity, names).property
        var target = first.target
        for (number, key) in keys.enumerated().dropFirst() {
            guard case .composite? = target, let owner = target, let (_, element) = names.property(key, of: owner)
            else {
                let place = keys[..<number].joined(separator: ".")
                throw ModelEditError(
                    .unknownItem, subject: "\(entity).\(path)", cause: "'\(entity).\(place)' has no element '\(key)'",
                    hint: "name an element of a composite attribute")
            }
            target = element.target
        }
    }
}
