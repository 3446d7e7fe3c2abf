import CoreDataExchange
import CoreDataWorkbench

/// Prints a model as a list of entities.
package struct ModelPrinter {
    let output: StandardOutput
    let width: Int?

    package init(output: StandardOutput, width: Int?) {
        self.output = output
        self.width = width
    }

    package func print(_ version: ModelVersion, of origin: ModelOrigin) {
        let model = version.model
        line("model     \(version.name)")
        line("checksum  \(model.versionChecksum)")
        let identifiers = model.versionIdentifiers.map { "\($0.base)" }.sorted().filter { !$0.isEmpty }
        if !identifiers.isEmpty { line("version   \(identifiers.joined(separator: ", "))") }
        if origin.versions.count > 1 {
            line(
                "versions  "
                    + origin.versions.map { $0.isCurrent ? "\($0.name) (current)" : $0.name }.joined(separator: ", "))
        }
        for (name, reason) in origin.unreadable { line("unreadable version '\(name)': \(reason)") }
        for entity in NSManagedObjectModel.numbered(model.entities) { print(entity) }
        printRest(version)
    }

    private func printRest(_ version: ModelVersion) {
        let model = version.model
        let named = model.configurations.filter { $0 != NSManagedObjectModel.defaultConfigurationName }
        if !named.isEmpty { line("") }
        for name in named {
            let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted()
            line("configuration \(name): \(members.joined(separator: ", "))")
        }
        if !model.templatesByName.isEmpty { line("") }
        for (name, template) in model.templatesByName.sorted(by: { $0.key < $1.key }) {
            line("fetch request \(name): \(template.remarks)")
        }
        let notes = version.sourceNotes
        if !notes.isEmpty { line("") }
        for note in notes { line("not understood at \(note)") }
    }

    private func print(_ entity: NSEntityDescription) {
        var title = entity.name ?? "?"
        if let parent = entity.superentity?.name { title += " : \(parent)" }
        if entity.isAbstract { title += "  abstract" }
        if let name = entity.managedObjectClassName, name != "NSManagedObject" { title += "  class \(name)" }
        if let generation = entity.codeGenerationType { title += "  generated: \(generation)" }
        if !entity.isSyncable { title += "  not syncable" }
        if let identifier = entity.declaredRenamingIdentifier, identifier != entity.name {
            title += "  was \(identifier)"
        }
        line("")
        line(title)
        let own = entity.ownProperties.sorted { $0.name < $1.name }
        rows(own.compactMap { $0 as? NSAttributeDescription }.flatMap { attributeRows($0, indent: "") })
        rows(own.compactMap { $0 as? NSRelationshipDescription }.map { [$0.name, $0.target, $0.remarks] })
        rows(own.compactMap { $0 as? NSFetchedPropertyDescription }.map { [$0.name, "fetched", $0.remarks] })
        for index in entity.indexes {
            let predicate = index.partialIndexPredicateFormat.map { " where \($0)" } ?? ""
            line("  index \(index.name): \(index.elements.map(\.text).joined(separator: ", "))\(predicate)")
        }
        for constraint in entity.uniquenessConstraintNames { line("  unique: \(constraint.joined(separator: ", "))") }
    }

    /// The row of an attribute; for a composite attribute, followed by the rows of its elements.
    private func attributeRows(_ attribute: NSAttributeDescription, indent: String) -> [[String]] {
        let row = [indent + attribute.name, attribute.attributeType.text, attribute.remarks]
        // Elements nested more deeply are only shown in JSON.
        guard let composite = attribute as? NSCompositeAttributeDescription, indent.count < 16 else { return [row] }
        return [row] + composite.elements.flatMap { attributeRows($0, indent: indent + "  ") }
    }

    private func rows(_ rows: [[String]]) {
        let first = rows.map { DisplayWidth.of($0[0]) }.max() ?? 0
        let second = rows.map { DisplayWidth.of($0[1]) }.max() ?? 0
        for row in rows {
            line("  \(padded(row[0], first))  \(row[2].isEmpty ? row[1] : padded(row[1], second) + "  " + row[2])")
        }
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    private func line(_ text: String) {
        let printable = PrintableText.escaped(text)
        output.line(width.map { DisplayWidth.truncated(printable, to: $0) } ?? printable)
    }
}

extension NSAttributeDescription {
    fileprivate var remarks: String {
        var words: [String] = isOptional ? ["optional"] : []
        if isTransient { words.append("transient") }
        if let name = (self as? NSCompositeAttributeDescription)?.compositeName { words.append("of \(name)") }
        if let derivation = (self as? NSDerivedAttributeDescription)?.derivationText { words.append("= \(derivation)") }
        if allowsExternalBinaryDataStorage { words.append("may be external") }
        if let name = valueTransformerName, !name.isEmpty { words.append("transformer \(name)") }
        if AttributeKind(self) != .transformable, let text = ValueCoding.text(defaultValue, AttributeKind(self)) {
            words.append("default \(text)")
        }
        if usesScalarValueType == true { words.append("scalar") }
        if preservesValueInHistoryOnDeletion { words.append("kept in history") }
        if allowsCloudEncryption { words.append("encrypted in the cloud") }
        return (words + validationRules.map(\.text) + commonRemarks).joined(separator: ", ")
    }
}

extension NSRelationshipDescription {
    fileprivate var target: String { "\(isToMany ? "->>" : "->") \(destinationEntity?.name ?? "?")" }

    fileprivate var remarks: String {
        var words = [inverseRelationship.map { "inverse \($0.name)" } ?? "no inverse", "delete: \(deleteRule.text)"]
        if isOrdered { words.append("ordered") }
        if isOptional { words.append("optional") }
        if isTransient { words.append("transient") }
        if isToMany, minCount > 0 { words.append("at least \(minCount)") }
        if isToMany, maxCount > 1 { words.append("at most \(maxCount)") }
        return (words + commonRemarks).joined(separator: ", ")
    }
}

extension NSFetchedPropertyDescription {
    fileprivate var remarks: String { fetchRequestTemplate?.remarks ?? "?" }
}

extension FetchRequestTemplate {
    fileprivate var remarks: String { "\(entityName ?? "?") where \(predicateFormat ?? "TRUEPREDICATE")" }
}

extension NSPropertyDescription {
    /// The remarks that apply to properties of every type.
    fileprivate var commonRemarks: [String] {
        var words: [String] = []
        if !isSyncable { words.append("not syncable") }
        if isIndexed { words.append("indexed") }
        if isIndexedBySpotlight { words.append("in Spotlight") }
        if let identifier = declaredRenamingIdentifier, identifier != name { words.append("was \(identifier)") }
        if let modifier = versionHashModifier, !modifier.isEmpty { words.append("hash modifier \(modifier)") }
        return words
    }
}
