import CoreDataInspection

/// Prints a model as a list of entities.
struct ModelPrinter {
    let output: StandardOutput
    let width: Int?

    func print(_ version: ModelVersion, of package: ModelPackage) {
        let model = version.model
        line("model     \(version.name)")
        line("checksum  \(model.versionChecksum)")
        let identifiers = model.versionIdentifiers.map { "\($0.base)" }.sorted().filter { !$0.isEmpty }
        if !identifiers.isEmpty { line("version   \(identifiers.joined(separator: ", "))") }
        if package.versions.count > 1 {
            line(
                "versions  "
                    + package.versions.map { $0.isCurrent ? "\($0.name) (current)" : $0.name }.joined(separator: ", "))
        }
        for (name, reason) in package.unreadable { line("unreadable version '\(name)': \(reason)") }
        for entity in NSManagedObjectModel.numbered(model.entities) { print(entity) }
    }

    private func print(_ entity: NSEntityDescription) {
        var title = entity.name ?? "?"
        if let parent = entity.superentity?.name { title += " : \(parent)" }
        if entity.isAbstract { title += "  abstract" }
        if let name = entity.managedObjectClassName, name != "NSManagedObject" { title += "  class \(name)" }
        line("")
        line(title)
        let own = entity.ownProperties.sorted { $0.name < $1.name }
        rows(own.compactMap { $0 as? NSAttributeDescription }.map { [$0.name, $0.attributeType.text, $0.remarks] })
        rows(own.compactMap { $0 as? NSRelationshipDescription }.map { [$0.name, $0.target, $0.remarks] })
        rows(own.compactMap { $0 as? NSFetchedPropertyDescription }.map { [$0.name, "fetched", $0.remarks] })
        for index in entity.indexes {
            let elements = index.elements.map {
                ($0.isAscending ? "" : "-") + ($0.expressionText ?? $0.propertyName ?? "?")
            }
            line("  index \(index.name): \(elements.joined(separator: ", "))")
        }
        for constraint in entity.uniquenessConstraintNames { line("  unique: \(constraint.joined(separator: ", "))") }
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
        if let derivation = (self as? NSDerivedAttributeDescription)?.derivationText { words.append("= \(derivation)") }
        if allowsExternalBinaryDataStorage { words.append("may be external") }
        if let name = valueTransformerName, !name.isEmpty { words.append("transformer \(name)") }
        if AttributeKind(self) != .transformable, let text = ValueCoding.text(defaultValue, AttributeKind(self)) {
            words.append("default \(text)")
        }
        return (words + validationRules.map(\.text)).joined(separator: ", ")
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
        return words.joined(separator: ", ")
    }
}

extension NSFetchedPropertyDescription {
    fileprivate var remarks: String {
        "\(fetchRequestTemplate?.entityName ?? "?") where \(fetchRequestTemplate?.predicateFormat ?? "TRUEPREDICATE")"
    }
}
