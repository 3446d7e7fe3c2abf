extension ModelDocument {
    /// The element at a path; nil if it does not exist.
    package func element(at path: ModelPath) -> ModelElement? {
        var element = root
        for step in path.steps {
            guard let index = step.index(in: element), let inner = element.contents[index].element else { return nil }
            element = inner
        }
        return element
    }

    /// Sets or, with nil, removes an attribute of the element at a path.
    ///
    /// - Throws: `ModelingError` if the element does not exist or XML cannot express the value.
    package mutating func set(_ value: String?, for attribute: String, at path: ModelPath) throws {
        try update(path) { element, _ in try element.set(value, for: attribute) }
    }

    /// Adds an element to the one at a path, at the position and in the form that Xcode uses.
    ///
    /// Lists that enclose elements (`userInfo`, `uniquenessConstraints` and the like) are added if they are missing. An
    /// entity also gets a position in the editor's layout if the document has one.
    /// - Throws: `ModelingError` if the path does not exist, or already contains an element of the same name.
    package mutating func add(_ element: ModelElement, to path: ModelPath) throws {
        try makeLists(to: path)
        let margin = margin
        try update(path) { parent, depth in
            try parent.checkIsFree(element)
            parent.insert(element, margin: margin, depth: depth)
        }
        if element.name == "entity", path == .model { try addLayout(for: element) }
    }

    /// Removes the element at a path, and its list if that becomes empty.
    ///
    /// An entity is also removed from the configurations and the editor's layout. Relationships whose destination is
    /// the entity are not changed: the author must do so.
    /// - Throws: `ModelingError` if the element does not exist.
    package mutating func remove(_ path: ModelPath) throws {
        guard let last = path.steps.last else {
            throw ModelingError(.invalidModel, "the model itself cannot be taken away")
        }
        try update(path.parent) { parent, _ in
            guard let index = last.index(in: parent) else { throw Self.missing(path) }
            parent.remove(at: index)
        }
        if let list = path.parent.steps.last, Self.lists.contains(list.kind),
            element(at: path.parent)?.contents.isEmpty == true
        {
            try remove(path.parent)
        }
        guard path.steps.count == 1, last.kind == "entity", let name = last.key else { return }
        try removeMentions(of: name)
    }

    // MARK: Ways

    private static let lists: Set<String> = [
        "userInfo", "uniquenessConstraints", "uniquenessConstraint", "compoundIndexes", "compoundIndex",
    ]

    static func missing(_ path: ModelPath) -> ModelingError {
        ModelingError(.invalidModel, "the model's source has no \(path)")
    }

    /// Changes the element at a path by a closure, which also receives the number of elements that enclose it.
    mutating func update(_ path: ModelPath, _ change: (inout ModelElement, Int) throws -> Void) throws {
        try Self.update(&root, path: path, depth: 0, change: change)
    }

    private static func update(
        _ element: inout ModelElement, path: ModelPath, depth: Int,
        change: (inout ModelElement, Int) throws -> Void
    ) throws {
        guard depth < path.steps.count else { return try change(&element, depth) }
        guard let index = path.steps[depth].index(in: element), var inner = element.contents[index].element else {
            throw missing(path)
        }
        try update(&inner, path: path, depth: depth + 1, change: change)
        element.contents[index] = .element(inner)
    }

    private mutating func makeLists(to path: ModelPath) throws {
        guard let last = path.steps.last, last.key == nil, Self.lists.contains(last.kind), element(at: path) == nil
        else { return }
        try add(ModelElement(last.kind), to: path.parent)
    }

    /// The line breaks and indentation of the document, from its first element.
    var margin: Margin {
        guard case .text(let space)? = root.contents.first, let line = ModelElement.lastLine(of: space) else {
            return Margin(newline: root.elements.isEmpty ? "\n" : "", unit: "    ")
        }
        let newline = line.utf8.first == UInt8(ascii: "\r") ? "\r\n" : "\n"
        return Margin(newline: newline, unit: String(line.unicodeScalars.drop { $0 == "\r" || $0 == "\n" }))
    }

    // MARK: The editor's layout

    private mutating func addLayout(for entity: ModelElement) throws {
        let layout = ModelPath.model.step("elements")
        guard let name = entity["name"], element(at: layout) != nil,
            element(at: layout.step("element", name)) == nil
        else { return }
        let height = 43 + 15 * entity.elements.count { Self.properties.contains($0.name) }
        let place: KeyValuePairs = [
            "name": name, "positionX": "0", "positionY": "0", "width": "128", "height": "\(height)",
        ]
        try add(ModelElement("element", place.map { ModelAttribute($0, $1) }), to: layout)
    }

    private mutating func removeMentions(of entity: String) throws {
        for place in mentions(of: entity, in: ["elements", "configuration"]) { try remove(place) }
    }

    private func mentions(of entity: String, in kinds: Set<String>) -> [ModelPath] {
        root.elements.filter { kinds.contains($0.name) }.flatMap { list in
            list.elements.filter { $0["name"] == entity }.map {
                ModelPath.model.step(list.name, list["name"]).step($0.name, entity)
            }
        }
    }

    static let properties: Set<String> = ["attribute", "relationship", "fetchedProperty"]
}

extension ModelElement {
    /// Throws if the element already contains one of the same kind and name; properties of all kinds are one kind.
    func checkIsFree(_ element: ModelElement) throws {
        guard let name = element["name"] ?? element["key"] else { return }
        let properties = ModelDocument.properties
        let rivals = properties.contains(element.name) ? properties : [element.name]
        guard elements.contains(where: { rivals.contains($0.name) && ($0["name"] ?? $0["key"]) == name }) else {
            return
        }
        throw ModelingError(.invalidModel, "<\(self.name)> has a <\(element.name)> '\(name)' already", at: place)
    }
}
