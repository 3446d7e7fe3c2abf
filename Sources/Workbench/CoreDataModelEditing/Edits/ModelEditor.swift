import CoreDataModeling

/// Applies edits to a source, one after the other.
///
/// `ModelEditSession` checks the result when a complete step is done: in between it need not be a valid model.
package struct ModelEditor: Sendable {
    package private(set) var document: ModelDocument
    /// Further changes, and changes that were not possible, in sentences.
    package private(set) var notes: [String] = []

    package init(_ document: ModelDocument) { self.document = document }

    /// Changes the source.
    mutating func change<Result>(_ body: (inout ModelDocument) throws -> Result) rethrows -> Result {
        try body(&document)
    }

    mutating func note(_ text: String) { notes.append(text) }

    /// The entity of a name.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem`.
    func requireEntity(_ name: String) throws { _ = try document.requiredPath(to: .entity(name)) }

    /// A property of a name that an entity declares or inherits, and the entity that declares it.
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

    /// Checks that what a constraint or an index is to name is there: a property, or an element of a composite attribute.
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
