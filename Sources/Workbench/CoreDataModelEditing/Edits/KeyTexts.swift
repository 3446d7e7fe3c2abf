import CoreDataModeling

/// A text of the model source that contains keys: a predicate, a derivation or an expression.
struct KeyText {
    enum Form {
        case predicate
        case expression
        case derivation
    }

    let path: ModelPath
    let attribute: String
    let form: Form
    let text: String
    /// The entity or composite whose keys the text contains.
    let owner: DocumentNames.Owner
    /// The entities that variables of the text refer to, by variable name, such as `FETCH_SOURCE`.
    var variables: [String: DocumentNames.Owner] = [:]
    /// A description of the text for messages, such as "the derivation of 'Hero.name'".
    let title: String

    /// Whether the name occurs in the text as a key.
    func mentions(_ name: String) -> Bool { !KeyPlaces.all(of: name, in: text).isEmpty }

    /// The text after a property is renamed; nil if the text does not parse.
    func followed(_ rename: KeyRename) -> String? {
        switch form {
        case .predicate: rename.followed(predicate: text, of: owner, variables: variables)
        case .expression: rename.followed(expression: text, of: owner)
        case .derivation: rename.followed(derivation: text, of: owner)
        }
    }
}

/// Collects all texts of a model source that contain keys.
enum KeyTexts {
    static func all(in document: ModelDocument) -> [KeyText] {
        document.root.elements.flatMap { element -> [KeyText] in
            let name = element["name"] ?? ""
            switch element.name {
            case "fetchRequest":
                return [
                    fetch(
                        element, path: .model.step("fetchRequest", name), title: "the predicate of 'requests/\(name)'")
                ]
                .compactMap { $0 }
            case "entity": return texts(of: element, named: name)
            default: return []
            }
        }
    }

    private static func texts(of entity: ModelElement, named name: String) -> [KeyText] {
        let path = ModelPath.entity(name)
        let owner = DocumentNames.Owner.entity(name)
        var texts: [KeyText] = []
        if let text = entity["coreSpotlightDisplayNameExpression"], !text.isEmpty {
            texts.append(
                KeyText(
                    path: path, attribute: "coreSpotlightDisplayNameExpression", form: .expression, text: text,
                    owner: owner, title: "the Spotlight name of '\(name)'"))
        }
        for inner in entity.elements {
            let key = inner["name"] ?? ""
            let place = path.step(inner.name, key)
            switch inner.name {
            case "attribute":
                guard let text = inner["derivationExpression"] else { continue }
                texts.append(
                    KeyText(
                        path: place, attribute: "derivationExpression", form: .derivation, text: text, owner: owner,
                        title: "the derivation of '\(name).\(key)'"))
            case "fetchedProperty":
                guard let request = inner.elements.first(where: { $0.name == "fetchRequest" }) else { continue }
                var text = fetch(request, path: place.step("fetchRequest"), title: "the predicate of '\(name).\(key)'")
                text?.variables = ["FETCH_SOURCE": owner]
                texts += [text].compactMap { $0 }
            case "fetchIndex": texts += self.texts(ofIndex: inner, at: place, owner, "'\(name)/indexes/\(key)'")
            default: continue
            }
        }
        return texts
    }

    private static func fetch(_ request: ModelElement, path: ModelPath, title: String) -> KeyText? {
        guard let text = request["predicateString"], !text.isEmpty, let entity = request["entity"] else { return nil }
        return KeyText(
            path: path, attribute: "predicateString", form: .predicate, text: text, owner: .entity(entity),
            title: title)
    }

    private static func texts(
        ofIndex index: ModelElement, at path: ModelPath, _ owner: DocumentNames.Owner, _ title: String
    ) -> [KeyText] {
        var texts: [KeyText] = []
        if let text = index["partialIndexPredicate"], !text.isEmpty {
            texts.append(
                KeyText(
                    path: path, attribute: "partialIndexPredicate", form: .predicate, text: text, owner: owner,
                    title: "the predicate of \(title)"))
        }
        let parts = index.elements.filter { $0.name == "fetchIndexElement" }
        for (number, part) in parts.enumerated() {
            guard part["property"] == nil, let text = part["expression"] else { continue }
            texts.append(
                KeyText(
                    path: path.step("fetchIndexElement", nil, number: number), attribute: "expression",
                    form: .derivation, text: text, owner: owner, title: "an expression of \(title)"))
        }
        return texts
    }
}
