import CoreDataModeling

extension ModelEditor {
    mutating func setParent(_ value: String?, of item: SourceItem) throws {
        let path = try document.requiredPath(to: item)
        if let value {
            try requireEntity(value)
            guard !DocumentNames(document).isKind(value, of: item.name) else {
                throw ModelEditError(.invalidValue, subject: "\(item)", cause: "'\(value)' inherits from it, or is it")
            }
        }
        try change { try $0.set(value, for: "parentEntity", at: path) }
    }

    mutating func setClass(_ option: ItemOption, _ value: String?, of item: SourceItem) throws {
        let path = try document.requiredPath(to: item)
        guard let element = document.element(at: path) else { return }
        var className = ClassName(element)
        if option.handling == .className {
            let parts = (value ?? "").split(separator: ".", omittingEmptySubsequences: false)
            className.name = value.flatMap { _ in parts.last.map(String.init) }
            if parts.count > 1 { className.module = parts.dropLast().joined(separator: ".") }
            if value == nil { className.module = nil }
        } else {
            guard className.name != nil || value == nil else {
                throw ModelEditError(
                    .notApplicable, subject: "\(item)", cause: "it names no class, whose module could be set",
                    hint: "set class=NAME too")
            }
            className.module = value.map { $0 == "current" ? "" : $0 }
        }
        try change { try $0.set(className.text, for: "representedClassName", at: path) }
    }

    mutating func setMembers(_ value: String?, of item: SourceItem) throws {
        let names = OptionText.names(value ?? "")
        for name in names { try requireEntity(name) }
        let path = try document.requiredPath(to: item)
        let present = document.element(at: path)?.elements.compactMap { $0["name"] } ?? []
        for name in present where !names.contains(name) {
            try change { try $0.remove(path.step("memberEntity", name)) }
        }
        for name in names where !present.contains(name) {
            try change { try $0.add(ModelElement("memberEntity", [ModelAttribute("name", name)]), to: path) }
        }
    }

    mutating func setIndexElements(_ value: String?, of item: SourceItem) throws {
        guard case .index(_, let entity) = item else { return }
        let parts = OptionText.names(value ?? "")
        guard !parts.isEmpty else {
            throw ModelEditError(
                .invalidValue, subject: "\(item)", cause: "an index has properties", hint: "remove the index")
        }
        let path = try document.requiredPath(to: item)
        guard let index = document.element(at: path), ItemOption.elements(of: index) != parts else { return }
        let names = DocumentNames(document)
        let elements = try parts.map { part in
            let isFalling = part.hasPrefix("-")
            let isSpatial = part.hasSuffix(":rtree")
            let name = String(part.dropFirst(isFalling ? 1 : 0).dropLast(isSpatial ? 6 : 0))
            try requireIndexed(name, of: entity, names)
            return ModelElement(
                "fetchIndexElement",
                [
                    ModelAttribute("property", name), ModelAttribute("type", isSpatial ? "RTree" : "Binary"),
                    ModelAttribute("order", isFalling ? "descending" : "ascending"),
                ])
        }
        for part in index.elements {
            try change { try $0.remove(path.step(part.name, nil)) }
        }
        for element in elements { try change { try $0.add(element, to: path) } }
    }
}

extension ItemOption {
    /// The elements of an index in the form of the option `elements`, such as `-name`, `place:rtree`.
    static func elements(of index: ModelElement) -> [String] {
        OptionText.names(
            SourceItemKind.index.options.first { $0.handling == .indexElements }?.value(in: index) ?? "")
    }
}
