import CoreDataFoundation

/// Writes a model as the source that Xcode would write for it.
///
/// What a source cannot express is left out and listed in `losses`. Entities, properties and all else that Xcode sorts
/// are sorted by name.
struct ModelSourceWriter {
    /// Descriptions of what a source cannot express.
    var losses: [String] = []
    /// The elements of the composites that attributes use, by the composite's name.
    var composites: [String: [ModelElement]] = [:]

    mutating func write(_ model: NSManagedObjectModel, header: ModelHeader) -> ModelDocument {
        var elements = sorted(model.entities) { $0.name }.map { element(for: $0) }
        for (name, template) in model.templatesByName.sorted(by: { $0.key < $1.key }) {
            elements.append(element(for: template, named: name, of: "the fetch request '\(name)'"))
        }
        for name in model.entityNamesByConfiguration.keys.sorted() {
            let members = (model.entityNamesByConfiguration[name] ?? []).sorted()
            elements.append(
                make(
                    "configuration", values: [("name", name)],
                    elements: members.map { make("memberEntity", values: [("name", $0)]) }))
        }
        for name in composites.keys.sorted() {
            elements.append(make("composite", values: [("name", name)], elements: composites[name] ?? []))
        }
        var root = ModelElement("model", header.attributes, elements: elements)
        setIdentifier(of: model, &root)
        noteLosses(of: model)
        return ModelDocument(root: root)
    }

    private mutating func setIdentifier(of model: NSManagedObjectModel, _ root: inout ModelElement) {
        let identifiers = model.versionIdentifiers.compactMap { $0 as? String }.sorted()
        if model.versionIdentifiers.count > 1 { losses.append("the version identifiers but the first") }
        do {
            try root.set(identifiers.first ?? "", for: "userDefinedModelVersionIdentifier")
        } catch {
            losses.append("the version identifier")
        }
    }

    private mutating func noteLosses(of model: NSManagedObjectModel) {
        if model.localizationDictionary?.isEmpty == false { losses.append("the localization dictionary") }
        for name in model.templateObjectsByName.keys.sorted() where model.templatesByName[name] == nil {
            losses.append("the fetch request '\(name)', which was set in code")
        }
    }

    // MARK: Pieces

    /// Makes an element with the attributes that have a value.
    mutating func make(
        _ name: String, values: KeyValuePairs<String, String?>, elements: [ModelElement] = []
    ) -> ModelElement {
        make(name, values: values.map { ($0.key, $0.value) }, elements: elements)
    }

    mutating func make(
        _ name: String, values: [(String, String?)], elements: [ModelElement] = []
    ) -> ModelElement {
        var attributes: [ModelAttribute] = []
        for case (let key, let value?) in values {
            if MarkupText.isAllowed(value) {
                attributes.append(ModelAttribute(key, value))
            } else {
                losses.append("'\(key)' of a <\(name)>, which has characters that XML cannot express")
            }
        }
        return ModelElement(name, attributes, elements: elements)
    }

    /// `YES` for true; nil for false, which is the default.
    func yes(_ flag: Bool) -> String? { flag ? "YES" : nil }

    func sorted<Item>(_ items: [Item], by name: (Item) -> String?) -> [Item] {
        items.sorted { (name($0) ?? "") < (name($1) ?? "") }
    }

    /// The `<userInfo>` element of a description; none if there are no values.
    mutating func userInfo(_ values: [AnyHashable: Any]?, of owner: String) -> [ModelElement] {
        guard let values, !values.isEmpty else { return [] }
        var entries: [(String, String)] = []
        for (key, value) in values {
            if let key = key as? String, let value = value as? String {
                entries.append((key, value))
            } else {
                losses.append("a value in the user info of \(owner) that is no text")
            }
        }
        let elements = entries.sorted { $0.0 < $1.0 }.map { make("entry", values: [("key", $0.0), ("value", $0.1)]) }
        return [make("userInfo", values: [:], elements: elements)]
    }
}

extension ModelDocument {
    /// Writes a model as a source that Xcode opens; returns the document, and descriptions of what it cannot express.
    ///
    /// The version identifier comes from the model, the rest of the header from `header`.
    package static func describing(
        _ model: NSManagedObjectModel, header: ModelHeader = .present
    ) -> (document: ModelDocument, losses: [String]) {
        var writer = ModelSourceWriter()
        let document = writer.write(model, header: header)
        return (document, writer.losses)
    }

    /// Makes the model of the document, and returns notes of the attributes and elements that are not known.
    ///
    /// - Throws: `ModelingError` with the position.
    package func makeModel() throws -> (model: NSManagedObjectModel, notes: [SourceNote]) {
        let (assembly, notes) = try ModelSourceReader.read(self)
        let model = NSManagedObjectModel()
        model.adopt(assembly)
        return (model, notes)
    }
}
